import { LONGEST_NAME, NAME_PATTERN } from '../../sdk/api/names';
import { isKnown, type Maybe } from '../../sdk/rules/unknown';
import { failure, type Findings, type ManagedKind } from './finding';

const NAMESPACE_PATTERN = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

function shown(name: string): string {
  return name === '' ? 'the name is empty' : name.length > LONGEST_NAME ? `the name has ${name.length} characters` : `${JSON.stringify(name)} is no name`;
}

/** Names are DNS labels, short enough for the pods that append to them. */
export function checkName(name: Maybe<string>, kind: ManagedKind): Findings {
  if (!isKnown(name) || NAME_PATTERN.test(name)) return [];
  return [failure('InvalidValue', 'name', shown(name), `The name of ${kind === 'instance' ? 'an' : 'a'} ${kind} has 1 to ${LONGEST_NAME} characters, lower-case letters, digits and hyphens, and begins and ends with a letter or digit. Choose such a name.`)];
}

export function checkNamespace(namespace: Maybe<string | null>): Findings {
  if (!isKnown(namespace) || namespace === null || NAMESPACE_PATTERN.test(namespace)) return [];
  return [failure('InvalidValue', 'namespace', `${JSON.stringify(namespace)} is no namespace`, "A namespace has 1 to 63 characters, lower-case letters, digits and hyphens, and begins and ends with a letter or digit. Name the tenant's namespace, or leave it out for the provider's.")];
}
