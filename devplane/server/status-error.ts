import type { Json, JsonObject } from '../json';
import type { Cause } from '../schema/cause';
import type { ResourceDefinition } from '../resources/definition';
import { qualifiedResource } from '../resources/definition';

/** A refusal as Kubernetes words it: thrown anywhere below the HTTP layer, answered as a `Status` object. */
export class StatusError extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details?: JsonObject,
  ) {
    super(message);
    this.name = 'StatusError';
  }

  toStatus(): JsonObject {
    return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: this.message, reason: this.reason, ...(this.details && { details: this.details }), code: this.code };
  }
}

/** What does not fit the types of Go: 400 for an object, and for what a patch makes 422 at the field `patch`. */
export class Undecodable extends StatusError {
  constructor(what: string) {
    super(400, 'BadRequest', what);
  }
}

type Target = Pick<ResourceDefinition, 'group' | 'resource'>;

const detailsOf = (target: Target, name?: string): JsonObject => ({ ...(name && { name }), ...(target.group && { group: target.group }), kind: target.resource });

export const notFound = (target: Target, name: string) => new StatusError(404, 'NotFound', `${qualifiedResource(target)} "${name}" not found`, detailsOf(target, name));
export const pageNotFound = () => new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
export const alreadyExists = (target: Target, name: string, deleting = false) =>
  new StatusError(409, 'AlreadyExists', `${deleting ? 'object is being deleted: ' : ''}${qualifiedResource(target)} "${name}" already exists`, detailsOf(target, name));
export const conflict = (target: Target, name: string, cause: string) =>
  new StatusError(409, 'Conflict', `Operation cannot be fulfilled on ${qualifiedResource(target)} "${name}": ${cause}`, detailsOf(target, name));
export const modified = (target: Target, name: string) => conflict(target, name, 'the object has been modified; please apply your changes to the latest version and try again');
export const badRequest = (message: string) => new StatusError(400, 'BadRequest', message);
export const unauthorized = () => new StatusError(401, 'Unauthorized', 'Unauthorized');
/** A version that the plane has not reached: after a restore of an older state, for example. */
export const tooLarge = (asked: string, current: number) =>
  new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 });
export const expired = (message: string) => new StatusError(410, 'Expired', message);
export const internal = (message: string) => new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });
/** Kubernetes has this, the development plane has not: said as such, never answered with something false. */
export const notImplemented = (what: string) => new StatusError(501, 'NotImplemented', `the development plane does not implement ${what}`);

export function forbidden(target: Target, name: string | undefined, cause: string, causes?: Json[]): StatusError {
  const subject = name ? `${qualifiedResource(target)} "${name}"` : qualifiedResource(target);
  return new StatusError(403, 'Forbidden', `${subject} is forbidden: ${cause}`, { ...detailsOf(target, name), ...(causes && { causes }) });
}

/** A refusal of the parameters of a request. @param options `ListOptions`, `CreateOptions` and the like */
export function invalidOptions(options: string, field: string, message: string): StatusError {
  const reason = message.startsWith('Forbidden') ? 'FieldValueForbidden' : 'FieldValueNotSupported';
  return new StatusError(422, 'Invalid', `${options}.meta.k8s.io "" is invalid: ${field}: ${message}`, { group: 'meta.k8s.io', kind: options, causes: [{ reason, message, field }] });
}

export function invalid(definition: ResourceDefinition, name: string, causes: Cause[]): StatusError {
  const lines = causes.map((cause) => `${cause.field || '<nil>'}: ${cause.message}`);
  const list = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`;
  const kind = definition.group ? `${definition.kind}.${definition.group}` : definition.kind;
  const details = { name, ...(definition.group && { group: definition.group }), kind: definition.kind, causes: causes.map((cause) => ({ ...cause, field: cause.field || '<nil>' })) };
  return new StatusError(422, 'Invalid', `${kind} "${name}" is invalid: ${list}`, details);
}
