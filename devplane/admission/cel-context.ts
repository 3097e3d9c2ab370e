import { toCel } from '../cel/values';
import type { JsonObject } from '../json';
import type { Attributes } from './attributes';
import { requestName } from './match';

function requestOf(attributes: Attributes): JsonObject {
  const { call, operation, dryRun, options } = attributes;
  const { definition, user, subresource, namespace } = call;
  const name = requestName(attributes);
  const resource = { group: definition.group, version: definition.version, resource: definition.resource };
  return {
    operation, kind: { group: definition.group, version: definition.version, kind: definition.kind }, resource, requestResource: resource, dryRun, options: options ?? {},
    userInfo: { username: user.name, groups: [...user.groups] },
    ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }), ...(subresource !== undefined && { subResource: subresource }),
  };
}

/** What every expression of admission sees of a write; absent values are absent, as in Kubernetes. */
export function celContext(attributes: Attributes): Record<'object' | 'oldObject' | 'request', unknown> {
  return { object: toCel(attributes.object), oldObject: toCel(attributes.oldObject), request: toCel(requestOf(attributes)) };
}
