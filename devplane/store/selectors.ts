import type { ApiObject } from '../json';
import { textAt } from '../json';
import { badRequest } from '../server/status-error';

export type Predicate = (object: ApiObject) => boolean;

const fields = ['metadata.name', 'metadata.namespace', 'spec.nodeName', 'status.phase', 'involvedObject.name', 'involvedObject.uid', 'involvedObject.kind', 'involvedObject.namespace'];

function fieldPredicate(term: string): Predicate {
  const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
  const [, path = '', operator, value] = match ?? [];
  if (!fields.includes(path)) throw badRequest(`field label not supported: ${path || term}`);
  return (object) => (textAt(object, ...path.split('.')) === value) === (operator !== '!=');
}

function labelPredicate(term: string): Predicate {
  const label = (object: ApiObject, key: string) => object.metadata.labels?.[key];
  const set = /^(\S+)\s+(in|notin)\s+\((.*)\)$/.exec(term);
  if (set) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    return (object) => values.includes(label(object, key) ?? '\0') === (operator === 'in');
  }
  const equality = /^([^=!\s]+)\s*(==|=|!=)\s*(\S*)$/.exec(term);
  if (equality) {
    const [, key = '', operator, value] = equality;
    return (object) => (label(object, key) === value) === (operator !== '!=');
  }
  if (!/^!?[\w./-]+$/.test(term)) throw badRequest(`unable to parse requirement: ${term}`);
  return term.startsWith('!') ? (object) => label(object, term.slice(1)) === undefined : (object) => label(object, term) !== undefined;
}

const terms = (selector: string) => selector.split(/,(?![^(]*\))/).map((term) => term.trim()).filter((term) => term !== '');

/** The selectors of a list, watch or deletecollection as one test. @throws StatusError 400 for a selector that no list can answer. */
export function selection(query: URLSearchParams): Predicate {
  const tests = [...terms(query.get('fieldSelector') ?? '').map(fieldPredicate), ...terms(query.get('labelSelector') ?? '').map(labelPredicate)];
  return (object) => tests.every((test) => test(object));
}

/** The value that a field selector pins `path` to, as authorisers need it. */
export function pinnedField(query: URLSearchParams, path: string): string | undefined {
  return terms(query.get('fieldSelector') ?? '').map((term) => /^([^=!]+)==?(.*)$/.exec(term)).find((match) => match?.[1] === path)?.[2];
}
