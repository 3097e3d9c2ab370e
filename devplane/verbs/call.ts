import type { ApiObject, Json } from '../json';
import { isRecord, listAt } from '../json';
import type { ResourceDefinition } from '../resources/definition';
import type { User } from '../server/user';

/** One request on one resource, already authenticated and authorised. The plane's own controllers make these too. */
export interface Call {
  user: User;
  definition: ResourceDefinition;
  subresource?: string;
  namespace?: string;
  name?: string;
  query: URLSearchParams;
  body?: Json;
  /** Media type of a patch. */
  patchType?: string;
  /** How the object of the resource looks under the name that the client asked by. */
  outward?: (object: ApiObject) => ApiObject;
  /** A DELETE: its options may stand in its body. */
  isDeletion?: boolean;
  /** One item of a deletecollection: admission then sees no name in the request. */
  isCollection?: boolean;
  /** Shown to the client as `Warning:` headers. */
  warnings: string[];
}

/** A delete that has a body is read from the body alone, as the real server does. */
export const isDryRun = (call: Call) => (call.isDeletion && isRecord(call.body) ? listAt(call.body, 'dryRun') : call.query.getAll('dryRun')).includes('All');

export function call(user: User, definition: ResourceDefinition, rest: Partial<Call> = {}): Call {
  return { user, definition, query: new URLSearchParams(), warnings: [], ...rest };
}
