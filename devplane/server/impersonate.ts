import type { IncomingHttpHeaders } from 'node:http';
import type { User } from './user';
import { notImplemented, StatusError } from './status-error';

const listed = (header: string | string[] | undefined) => (header === undefined ? [] : [header].flat().flatMap((value) => value.split(',')).map((value) => value.trim()));

/** `kubectl --as`: members of system:masters may be anybody, nobody else may (impersonation by RBAC is not implemented). */
export function impersonated(user: User, headers: IncomingHttpHeaders): User {
  const name = headers['impersonate-user'];
  if (name === undefined) return user;
  if (headers['impersonate-uid'] !== undefined) throw notImplemented('impersonation of a UID');
  if (!user.groups.includes('system:masters')) throw new StatusError(403, 'Forbidden', `users "${String(name)}" is forbidden: User "${user.name}" cannot impersonate resource "users" in API group "" at the cluster scope`);
  return { name: String(name), groups: [...listed(headers['impersonate-group']), 'system:authenticated'] };
}
