import type { Kind, KubeObject } from '../../../api/object';
import type { Selection } from '../../control-plane';

type Predicate = (object: KubeObject) => boolean;

const TERM = /^(!?)([^!=\s]+)(?:(==?|!=)(\S*))?$/;

/** One term of a selector. Sets (`in`, `notin`) are not read: nothing here asks by them. */
function term(text: string, isKnown: (key: string, operator?: string) => boolean, read: (object: KubeObject, key: string) => unknown): Predicate {
  const [, absent, key = '', operator, value] = TERM.exec(text) ?? [];
  if (key === '' || !isKnown(key, operator)) throw new Error(`the plane in memory cannot select by ${JSON.stringify(text)}`);
  if (operator === undefined) return (object) => (read(object, key) === undefined) === (absent === '!');
  return (object) => (read(object, key) === value) === (operator !== '!=');
}

const split = (selector = ''): string[] => selector.split(',').map((part) => part.trim()).filter((part) => part !== '');
const fieldOf = (object: KubeObject, path: string): unknown => path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], object) ?? '';

/** Whether an object of the kind is selected. A field that a server cannot select by is a mistake of the caller. */
export function selects(kind: Kind, { namespace, labelSelector, fieldSelector }: Selection): Predicate {
  const fields = ['metadata.name', 'metadata.namespace', ...(kind.kind === 'Pod' ? ['spec.nodeName', 'status.phase'] : [])];
  const tests = [
    ...split(labelSelector).map((part) => term(part, () => true, ({ metadata: { labels } }, key) => labels?.[key])),
    ...split(fieldSelector).map((part) => term(part, (key, operator) => operator !== undefined && fields.includes(key), fieldOf)),
  ];
  const isPlaced: Predicate = ({ metadata }) => !kind.namespaced || namespace === undefined || metadata.namespace === namespace;
  return (object) => object.kind === kind.kind && isPlaced(object) && tests.every((test) => test(object));
}
