import type { Json } from '../json';
import { listAt, textAt, textsAt } from '../json';
import { qualifiedResource } from '../resources/definition';
import type { Attributes } from './attributes';

/** `request.name`: absent for a collection and for a name that the server will generate. */
export function requestName({ call, object, oldObject, operation }: Attributes): string | undefined {
  if (call.isCollection) return undefined;
  return call.name ?? (operation === 'CREATE' ? object?.metadata.name || undefined : oldObject?.metadata.name);
}

function resourceMatches(pattern: string, resource: string, subresource: string): boolean {
  const [wantedResource, wantedSubresource = ''] = pattern.split('/');
  if (pattern === '*') return subresource === '';
  if (pattern === '*/*') return true;
  return (wantedResource === '*' || wantedResource === resource) && (wantedSubresource === '*' ? subresource !== '' : wantedSubresource === subresource);
}

const includes = (list: Json[], value: string) => list.includes('*') || list.includes(value);

/** One rule of a policy's or a webhook's `rules`. */
export function ruleMatches(rule: Json, attributes: Attributes): boolean {
  const { definition, subresource = '' } = attributes.call;
  const scope = textAt(rule, 'scope') || '*';
  const names = listAt(rule, 'resourceNames');
  return includes(listAt(rule, 'operations'), attributes.operation)
    && includes(listAt(rule, 'apiGroups'), definition.group)
    && includes(listAt(rule, 'apiVersions'), definition.version)
    && textsAt(rule, 'resources').some((pattern) => resourceMatches(pattern, definition.resource, subresource))
    && (scope === '*' || (scope === 'Namespaced') === definition.namespaced)
    && (names.length === 0 || names.includes(requestName(attributes) ?? ''));
}

/** `macnodeleases.macrack.io "name"`: how every admission refusal begins. */
export function subjectOf(attributes: Attributes): string {
  const name = requestName(attributes) ?? attributes.oldObject?.metadata.name ?? '';
  return name ? `${qualifiedResource(attributes.call.definition)} "${name}"` : qualifiedResource(attributes.call.definition);
}
