import type { ApiObject, Json } from '../json';
import { clone, isRecord, listAt, textAt } from '../json';
import { isTerminal } from '../resources/pods';
import { storeKey } from '../resources/definition';
import { success } from '../server/answer';
import { badRequest, conflict, modified, notImplemented } from '../server/status-error';
import { type Call, isDryRun } from './call';
import type { Plane } from './plane';
import { remove } from './delete';
import { change, findExisting } from './update';

/** POST to a subresource: only pods have such. */
export function createSubresource(plane: Plane, call: Call): Promise<Json> {
  if (call.subresource === 'binding') return bind(plane, call);
  if (call.subresource === 'eviction') return evict(plane, call);
  throw notImplemented(`create of ${call.definition.resource}/${call.subresource}`);
}

function posted(call: Call): ApiObject {
  if (!isRecord(call.body)) throw badRequest('the request body must be a JSON object');
  const body = clone(call.body) as ApiObject;
  const name = textAt(body, 'metadata', 'name') || (call.name ?? '');
  if (name !== call.name) throw badRequest(`name in URL does not match name in ${body.kind} object`);
  return { ...body, metadata: { ...body.metadata, name, ...(call.namespace && { namespace: call.namespace }) } };
}

async function admit(plane: Plane, call: Call, object: ApiObject): Promise<void> {
  const attributes = { call, operation: 'CREATE' as const, object, dryRun: isDryRun(call) };
  await plane.admission.mutate(attributes);
  await plane.admission.validate(attributes);
}

async function bind(plane: Plane, call: Call): Promise<Json> {
  const binding = posted(call);
  const node = textAt(binding, 'target', 'name');
  await admit(plane, call, binding);
  const pod = findExisting(plane, call);
  const refuse = (cause: string) => conflict({ group: '', resource: 'pods/binding' }, pod.metadata.name, cause);
  if (pod.metadata.deletionTimestamp) throw refuse(`pod ${pod.metadata.name} is being deleted, cannot be assigned to a host`);
  const bound = textAt(pod, 'spec', 'nodeName');
  if (bound) throw refuse(`pod ${pod.metadata.name} is already assigned to node "${bound}"`);
  if (binding.metadata.uid && binding.metadata.uid !== pod.metadata.uid) throw refuse(`Precondition failed: UID in precondition: ${binding.metadata.uid}, UID in object meta: ${pod.metadata.uid}`);
  const now = plane.clock.stamp();
  const conditions = listAt(pod, 'status', 'conditions').filter((condition) => textAt(condition, 'type') !== 'PodScheduled');
  const status = { ...(isRecord(pod.status) ? pod.status : {}), conditions: [...conditions, { type: 'PodScheduled', status: 'True', lastTransitionTime: now }] };
  const next: ApiObject = { ...pod, spec: { ...(isRecord(pod.spec) ? pod.spec : {}), nodeName: node }, status };
  if (!isDryRun(call) && !plane.store.commit(storeKey(call.definition), pod, next)) throw modified(call.definition, pod.metadata.name);
  return success({});
}

/** Runs no DELETE admission, as the real server does not: only a policy on pods/eviction can refuse it. */
async function evict(plane: Plane, call: Call): Promise<Json> {
  const eviction = posted(call);
  // NodeRestriction looks at the pod of a node before any policy is asked.
  if (call.user.groups.includes('system:nodes')) findExisting(plane, call);
  await admit(plane, call, eviction);
  const pod = findExisting(plane, call);
  if (!isTerminal(pod) || !isDryRun(call)) await remove(plane, { ...call, ...(isRecord(eviction.deleteOptions) && { body: eviction.deleteOptions }) }, false);
  return success({});
}

/** PUT namespaces/finalize: takes spec.finalizers only, and ends the namespace when none are left. */
export function finalize(plane: Plane, call: Call): Promise<ApiObject> {
  const finalizers = listAt(call.body, 'spec', 'finalizers');
  return change(plane, call, (old) => ({ ...old, spec: { ...(isRecord(old.spec) ? old.spec : {}), finalizers } }), false);
}
