import { applyJsonPatch, JsonPatchError } from '../admission/json-patch';
import type { ApiObject, Json } from '../json';
import { isRecord, mergePatch, textAt } from '../json';
import { unsupported } from '../server/body';
import { badRequest, invalid, modified, notImplemented, StatusError, Undecodable } from '../server/status-error';
import type { Call } from './call';
import { decode } from './incoming';
import type { Plane } from './plane';
import { strategicMerge } from './strategic-merge';
import { change } from './update';

const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const apply = 'application/apply-patch+yaml';

/** Kubernetes takes a strategic merge patch for its own kinds, whose lists it knows. */
function accepted(call: Call): string[] {
  return [json, merge, ...(call.definition.custom ? [] : [strategic]), apply];
}

function listed(body: Json | undefined): Json[] {
  if (Array.isArray(body)) return body;
  throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp');
}

function apart(body: Json | undefined) {
  if (isRecord(body)) return body;
  throw badRequest('error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}');
}

/** The real server does not say which step failed. */
function stepped(old: ApiObject, steps: Json[]): Json {
  try {
    return applyJsonPatch(old, steps);
  } catch (error) {
    if (error instanceof JsonPatchError) throw new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});
    throw error;
  }
}

/** What the patch makes of an object. @throws StatusError 400, 415, or 501 for server-side apply */
function applier(call: Call): (old: ApiObject) => Json {
  const { body, patchType = '' } = call;
  switch (accepted(call).includes(patchType) ? patchType : '') {
    case json: {
      const steps = listed(body);
      return (old) => stepped(old, steps);
    }
    case merge: {
      const patch = apart(body);
      return (old) => mergePatch(old, patch);
    }
    case strategic: {
      const patch = apart(body);
      return (old) => strategicMerge(old, patch);
    }
    case apply: throw notImplemented('server-side apply: it keeps no field managers, so it could not tell a conflict; use client-side apply or a merge patch');
    default: throw unsupported(accepted(call));
  }
}

/** What a patch may not touch is said of the object that comes out of it, before the schema is. */
function assertSame(call: Call, patched: Json, old: ApiObject): void {
  const { name, namespace, resourceVersion } = old.metadata;
  const has = (field: string) => textAt(patched, 'metadata', field);
  const kind = textAt(patched, 'kind');
  if (kind !== old.kind) throw invalid({ ...call.definition, kind }, name, [{ reason: 'FieldValueInvalid', field: 'kind', message: `Invalid value: ${JSON.stringify(kind)}: must be ${old.kind}` }]);
  if (has('name') === '') throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (has('name') !== name) throw badRequest(`the name of the object (${has('name')}) does not match the name on the URL (${name})`);
  if (has('namespace') !== (namespace ?? '')) throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (has('resourceVersion') !== '' && has('resourceVersion') !== resourceVersion) throw modified(call.definition, name);
}

function decoded(call: Call, wanted: Json): ApiObject {
  try {
    return decode(call, wanted);
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    const message = `Invalid value: ${JSON.stringify(JSON.stringify(wanted))}: ${error.message}`;
    throw new StatusError(422, 'Invalid', ` "" is invalid: patch: ${message}`, { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] });
  }
}

/** Whether the client named the version that it patches: then a write in between is a conflict. */
function isPinned(body: Json | undefined): boolean {
  if (Array.isArray(body)) return body.some((step) => textAt(step, 'path') === '/metadata/resourceVersion');
  return textAt(body, 'metadata', 'resourceVersion') !== '';
}

/** PATCH with a merge patch, a JSON patch or, for kinds of Kubernetes, a strategic merge patch. */
export function patch(plane: Plane, call: Call): Promise<ApiObject> {
  const patched = applier(call);
  return change(plane, call, (old) => {
    const wanted = patched(old);
    assertSame(call, wanted, old);
    return decoded(call, wanted);
  }, isPinned(call.body));
}
