import { at, listAt, textAt, type ApiObject, type Json } from '../json';
import { qualifiedResource } from '../resources/definition';
import type { Route } from '../server/route';
import type { User } from '../server/user';
import { forbidden } from '../server/status-error';
import { pinnedField } from '../store/selectors';
import type { Call } from '../verbs/call';
import type { Plane } from '../verbs/plane';
import type { Asked } from './asked';
import { isNodeAllowed } from './nodes';

const rbac = 'rbac.authorization.k8s.io';
const covers = (list: Json[], value: string) => list.includes('*') || list.includes(value);

function ruleAllows(rule: Json, asked: Asked): boolean {
  const resources = listAt(rule, 'resources');
  const full = asked.subresource ? `${asked.resource}/${asked.subresource}` : asked.resource;
  const names = listAt(rule, 'resourceNames');
  return covers(listAt(rule, 'verbs'), asked.verb)
    && covers(listAt(rule, 'apiGroups'), asked.group)
    && (covers(resources, full) || (asked.subresource !== '' && resources.includes(`*/${asked.subresource}`)))
    && (names.length === 0 || names.includes(asked.name));
}

function isSubject(subject: Json, user: User, bindingNamespace: string): boolean {
  const name = textAt(subject, 'name');
  switch (textAt(subject, 'kind')) {
    case 'User': return name === user.name;
    case 'Group': return user.groups.includes(name);
    case 'ServiceAccount': return user.name === `system:serviceaccount:${textAt(subject, 'namespace') || bindingNamespace}:${name}`;
    default: return false;
  }
}

function rulesOf(plane: Plane, binding: ApiObject): Json[] {
  const isRole = textAt(binding, 'roleRef', 'kind') === 'Role';
  const role = plane.store.get(`${rbac}/${isRole ? 'roles' : 'clusterroles'}`, isRole ? binding.metadata.namespace : undefined, textAt(binding, 'roleRef', 'name'));
  return listAt(role, 'rules');
}

/** Union of all bindings that name the user; a binding whose role does not exist grants nothing. */
export function isAllowed(plane: Plane, user: User, asked: Asked): boolean {
  if (user.groups.includes('system:masters') || isNodeAllowed(plane, user, asked)) return true;
  const bindings = [...plane.store.list(`${rbac}/clusterrolebindings`), ...(asked.namespace ? plane.store.list(`${rbac}/rolebindings`, asked.namespace) : [])];
  return bindings
    .filter((binding) => listAt(binding, 'subjects').some((subject) => isSubject(subject, user, binding.metadata.namespace ?? '')))
    .some((binding) => rulesOf(plane, binding).some((rule) => at(rule, 'nonResourceURLs') === undefined && ruleAllows(rule, asked)));
}

/** @throws StatusError 403 in the words of Kubernetes */
export function authorize(plane: Plane, user: User, { definition, verb, namespace = '', name = '', subresource = '' }: Route, query: URLSearchParams): void {
  const pinnedNode = pinnedField(query, 'spec.nodeName');
  // For a Namespace object the name is also its namespace, so that a Role in it can grant `get`.
  const scope = definition.group === '' && definition.resource === 'namespaces' ? name : namespace;
  const asked: Asked = { verb, group: definition.group, resource: definition.resource, subresource, namespace: scope, name, ...(pinnedNode !== undefined && { pinnedNode }) };
  if (!isAllowed(plane, user, asked)) throw refusal(user, asked);
  assertNoEscalation(plane, user, asked);
}

/** A PUT that makes an object is a creation too. @throws StatusError 403 */
export function authorizeCreation(plane: Plane, { user, definition: { group, resource }, namespace = '', name = '' }: Call): void {
  const asked: Asked = { verb: 'create', group, resource, subresource: '', namespace, name };
  if (!isAllowed(plane, user, asked)) throw refusal(user, asked);
}

function refusal(user: User, asked: Asked) {
  const where = asked.namespace ? `in the namespace "${asked.namespace}"` : 'at the cluster scope';
  const resource = asked.subresource ? `${asked.resource}/${asked.subresource}` : asked.resource;
  return forbidden(asked, asked.name, `User "${user.name}" cannot ${asked.verb} resource "${resource}" in API group "${asked.group}" ${where}`);
}

/** Granting needs `bind` or `escalate`. Kubernetes also lets a user grant what he himself holds; the plane refuses that rather than compute it. */
function assertNoEscalation(plane: Plane, user: User, asked: Asked): void {
  if (asked.group !== rbac || !['create', 'update', 'patch'].includes(asked.verb)) return;
  const verb = asked.resource.endsWith('bindings') ? 'bind' : 'escalate';
  if (isAllowed(plane, user, { ...asked, verb })) return;
  throw forbidden(asked, asked.name, `user "${user.name}" (groups=${JSON.stringify(user.groups)}) may not grant: the development plane asks for the verb ${verb} on ${qualifiedResource(asked)}`);
}
