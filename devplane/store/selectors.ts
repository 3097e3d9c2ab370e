import type { ApiObject } from '../json';
import { textAt } from '../json';
import type { ResourceDefinition } from '../resources/definition';
import { badRequest } from '../server/status-error';

export type Predicate = (object: ApiObject) => boolean;

/** Fields that every kind can be selected by. */
const common = ['metadata.name', 'metadata.namespace'];

function fieldPredicate(term: string, fields: readonly string[]): Predicate {
  const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
  if (!match) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  const [, path = '', operator, value] = match;
  if (!fields.includes(path)) throw badRequest(`field label not supported: ${path}`);
  return (object) => (textAt(object, ...path.split('.')) === value) === (operator !== '!=');
}

const identifier = '[A-Za-z0-9](?:[\\w./-]*[A-Za-z0-9])?';
const setTerm = new RegExp(`^(${identifier})\\s+(in|notin)\\s+\\((.*)\\)$`);
const equalityTerm = new RegExp(`^(${identifier})\\s*(==|=|!=)\\s*(${identifier})?$`);
const orderTerm = new RegExp(`^(${identifier})\\s*([<>])\\s*(-?\\d+)$`);
const presenceTerm = new RegExp(`^(!)?\\s*(${identifier})$`);

function labelPredicate(term: string): Predicate {
  const label = (object: ApiObject, key: string) => object.metadata.labels?.[key];
  const [, setKey = '', setOperator, list = ''] = setTerm.exec(term) ?? [];
  if (setOperator !== undefined) {
    const values = list.split(',').map((value) => value.trim());
    return (object) => values.includes(label(object, setKey) ?? '\0') === (setOperator === 'in');
  }
  const [, key = '', operator, value = ''] = equalityTerm.exec(term) ?? [];
  if (operator !== undefined) return (object) => (label(object, key) === value) === (operator !== '!=');
  const [, orderKey = '', order, bound] = orderTerm.exec(term) ?? [];
  if (order !== undefined) return (object) => (order === '>' ? Number(label(object, orderKey)) > Number(bound) : Number(label(object, orderKey)) < Number(bound));
  const presence = presenceTerm.exec(term);
  if (!presence) throw badRequest(`unable to parse requirement: ${term}`);
  return (object) => (label(object, presence[2] ?? '') === undefined) === (presence[1] !== undefined);
}

const terms = (selector: string) => selector.split(/,(?![^(]*\))/).map((term) => term.trim()).filter((term) => term !== '');

/** The selectors of a list, watch or deletecollection as one test. @throws StatusError 400 for a selector that no list can answer. */
export function selection(query: URLSearchParams, { selectable = [] }: Pick<ResourceDefinition, 'selectable'>): Predicate {
  const tests = [...terms(query.get('fieldSelector') ?? '').map((term) => fieldPredicate(term, [...common, ...selectable])), ...terms(query.get('labelSelector') ?? '').map(labelPredicate)];
  return (object) => tests.every((test) => test(object));
}

/** The value that a field selector pins `path` to, as authorisers need it. */
export function pinnedField(query: URLSearchParams, path: string): string | undefined {
  return terms(query.get('fieldSelector') ?? '').map((term) => /^([^=!]+)==?(.*)$/.exec(term)).find((match) => match?.[1] === path)?.[2];
}
