import type { Kind, KubeObject } from '../../../api/object';
import type { Selection } from '../../control-plane';

type Predicate = (object: KubeObject) => boolean;

const TERM = /^(!?)([^!=\s]+)(?:(==?|!=)(\S*))?$/;

// As on a server, which refuses any other.
const selectable = (kind: Kind): string[] => ['metadata.name', 'metadata.namespace', ...(kind.kind === 'Pod' ? ['spec.nodeName', 'status.phase'] : [])];

function labelTerm(text: string): Predicate {
  const [, absent, key = '', operator, value] = TERM.exec(text) ?? [];
  if (key === '') throw new Error(`the plane in memory does not read the label selector ${JSON.stringify(text)}`);
  const label = ({ metadata: { labels } }: KubeObject): string | undefined => labels?.[key];
  if (operator === undefined) return (object) => (label(object) === undefined) === (absent === '!');
  return (object) => (label(object) === value) === (operator !== '!=');
}

function fieldTerm(text: string, kind: Kind): Predicate {
  const [, , path = '', operator, value] = TERM.exec(text) ?? [];
  if (operator === undefined || !selectable(kind).includes(path)) throw new Error(`a ${kind.kind} cannot be selected by the field selector ${JSON.stringify(text)}`);
  const field = (object: KubeObject): unknown => path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], object) ?? '';
  return (object) => (field(object) === value) === (operator !== '!=');
}

const terms = (selector = ''): string[] => selector.split(',').map((term) => term.trim()).filter((term) => term !== '');

/** Whether an object of the kind is selected. Sets (`in`, `notin`) are not read: nothing here asks by them. */
export function selects(kind: Kind, { namespace, labelSelector, fieldSelector }: Selection): Predicate {
  const tests = [...terms(labelSelector).map(labelTerm), ...terms(fieldSelector).map((term) => fieldTerm(term, kind))];
  if (kind.namespaced && namespace !== undefined) tests.push(({ metadata }) => metadata.namespace === namespace);
  return (object) => object.kind === kind.kind && tests.every((test) => test(object));
}
