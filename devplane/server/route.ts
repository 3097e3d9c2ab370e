import type { ResourceDefinition } from '../resources/definition';
import type { ResourceRegistry } from '../resources/registry';
import { pinnedField } from '../store/selectors';
import { pageNotFound, StatusError } from './status-error';

/** The verb as RBAC and the request counters name it. */
export type RequestVerb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

export interface Route {
  definition: ResourceDefinition;
  verb: RequestVerb;
  namespace?: string;
  name?: string;
  subresource?: string;
}

interface Place {
  resource: string;
  namespace?: string;
  name?: string;
  subresource?: string;
}

/** `namespaces/x/pods/y/status` and, for namespaces themselves, `namespaces/x/finalize`. */
function place(segments: string[]): Place {
  const [first = '', second, third, ...rest] = segments;
  const isScope = first === 'namespaces' && second !== undefined && third !== undefined && !(['status', 'finalize'].includes(third) && rest.length === 0);
  const [resource = '', name, subresource] = isScope ? [third, ...rest] : segments;
  return { resource, ...(isScope && { namespace: second }), ...(name !== undefined && { name }), ...(subresource !== undefined && { subresource }) };
}

function verbOf(method: string, hasName: boolean, isWatch: boolean): RequestVerb {
  switch (method) {
    case 'GET': return hasName ? 'get' : isWatch ? 'watch' : 'list';
    case 'POST': return 'create';
    case 'PUT': return 'update';
    case 'PATCH': return 'patch';
    case 'DELETE': return hasName ? 'delete' : 'deletecollection';
    default: throw new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
  }
}

/** Reads a resource URL. @throws StatusError 404, 405 or 501 */
export function route(method: string, url: URL, resources: ResourceRegistry): Route {
  const segments = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const isCore = segments[0] === 'api';
  const [group = '', version = '', rest] = isCore ? ['', segments[1], segments.slice(2)] : [segments[1], segments[2], segments.slice(3)];
  if ((!isCore && segments[0] !== 'apis') || rest === undefined || rest.length === 0) throw pageNotFound();
  const found = place(rest);
  const definition = resources.find(group, version, found.resource);
  const isWatch = ['true', '1'].includes(url.searchParams.get('watch') ?? '');
  const verb = verbOf(method, found.name !== undefined, isWatch);
  // A list pinned to one name is authorised, and counted, under that name.
  const name = found.name ?? (verb === 'list' || verb === 'watch' || verb === 'deletecollection' ? pinnedField(url.searchParams, 'metadata.name') : undefined);
  return { definition, verb, ...(found.namespace !== undefined && { namespace: found.namespace }), ...(name !== undefined && { name }), ...(found.subresource !== undefined && { subresource: found.subresource }) };
}
