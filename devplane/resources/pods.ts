import type { ApiObject, Json, JsonObject } from '../json';
import { at, clone, isEqual, isRecord, listAt, recordAt, textAt } from '../json';
import type { Cause } from '../schema/cause';
import { forbidden } from '../server/status-error';
import type { Strategy } from './definition';
import { canonicalQuantity, isExtended, parseQuantity } from './quantity';

export const pods = { group: '', resource: 'pods' };
export const isTerminal = (pod: ApiObject) => ['Failed', 'Succeeded'].includes(textAt(pod, 'status', 'phase'));

const systemPriorities: Record<string, number> = { 'system-node-critical': 2_000_001_000, 'system-cluster-critical': 2_000_000_000 };
const defaultSeconds = 300;

function fillPriority(pod: ApiObject, spec: JsonObject): void {
  const name = textAt(spec, 'priorityClassName');
  const priority = name === '' ? 0 : systemPriorities[name];
  if (priority === undefined) throw forbidden(pods, pod.metadata.name, `no PriorityClass with name ${name} was found`);
  spec.priority ??= priority;
  if (spec.priority === priority) return;
  const asked = JSON.stringify(spec.priority);
  throw forbidden(pods, pod.metadata.name, `the integer value of priority (${asked}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`);
}

/** DefaultTolerationSeconds: absent entries only, so a toleration without seconds stays without. */
function fillTolerations(spec: JsonObject): void {
  const tolerations = listAt(spec, 'tolerations');
  const isCovered = (key: string) => tolerations.some((toleration) => ['', key].includes(textAt(toleration, 'key')) && ['', 'NoExecute'].includes(textAt(toleration, 'effect')));
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter((key) => !isCovered(key));
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: defaultSeconds }));
  if (added.length > 0) spec.tolerations = [...tolerations, ...added];
}

function fillResources(container: Json): void {
  if (!isRecord(container) || !isRecord(container.resources)) return;
  for (const amounts of [container.resources.limits, container.resources.requests]) {
    if (isRecord(amounts)) for (const name of Object.keys(amounts)) amounts[name] = canonicalQuantity(amounts[name]);
  }
  const limits = recordAt(container.resources, 'limits');
  if (Object.keys(limits).length > 0) container.resources.requests = { ...limits, ...recordAt(container.resources, 'requests') };
}

function fill(pod: ApiObject, old: ApiObject | undefined): void {
  const spec = pod.spec;
  if (!isRecord(spec)) return;
  for (const container of [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')]) fillResources(container);
  if (old) return;
  spec.restartPolicy ??= 'Always';
  spec.terminationGracePeriodSeconds ??= 30;
  // Kubernetes takes a negative one for the shortest.
  if (Number(spec.terminationGracePeriodSeconds) < 0) spec.terminationGracePeriodSeconds = 1;
  spec.schedulerName ??= 'default-scheduler';
  spec.dnsPolicy ??= 'ClusterFirst';
  fillPriority(pod, spec);
  fillTolerations(spec);
  pod.status = { phase: 'Pending', qosClass: 'BestEffort' };
}

function resourceFaults(container: Json, path: string): Cause[] {
  const limits = recordAt(container, 'resources', 'limits');
  const requests = recordAt(container, 'resources', 'requests');
  return [...new Set([...Object.keys(limits), ...Object.keys(requests)])].filter(isExtended).flatMap((resource): Cause[] => {
    const [limit, request] = [parseQuantity(limits[resource]), parseQuantity(requests[resource])];
    const shown = JSON.stringify(requests[resource] ?? limits[resource]);
    if (limit === undefined) return [{ reason: 'FieldValueRequired', field: `${path}.resources.limits`, message: 'Required value: Limit must be set for non overcommitable resources' }];
    const halves = [['limits', limit], ['requests', request]] as const;
    const odd = halves.filter(([, amount = 0n]) => amount % 1_000_000_000n !== 0n).map(([list]): Cause => ({ reason: 'FieldValueInvalid', field: `${path}.resources.${list}[${resource}]`, message: `Invalid value: ${shown}: must be an integer` }));
    if (odd.length > 0) return odd;
    return limit === request ? [] : [{ reason: 'FieldValueInvalid', field: `${path}.resources.requests`, message: `Invalid value: ${shown}: must be equal to ${resource} limit of ${JSON.stringify(limits[resource])}` }];
  });
}

function nameFaults(pod: ApiObject): Cause[] {
  const names = listAt(pod, 'spec', 'containers').map((container) => textAt(container, 'name'));
  return names.flatMap((name, index): Cause[] => (names.indexOf(name) < index ? [{ reason: 'FieldValueDuplicate', field: `spec.containers[${index}].name`, message: `Duplicate value: ${JSON.stringify(name)}` }] : []));
}

/** All that an update may touch taken out, to compare the rest. */
function fixedPart(pod: ApiObject): Json | undefined {
  const spec = clone(pod.spec);
  if (!isRecord(spec)) return spec;
  for (const container of listAt(spec, 'containers')) if (isRecord(container)) delete container.image;
  delete spec.tolerations;
  delete spec.activeDeadlineSeconds;
  return spec;
}

function validate(pod: ApiObject, old: ApiObject | undefined): Cause[] {
  const faults = [...nameFaults(pod), ...listAt(pod, 'spec', 'containers').flatMap((container, index) => resourceFaults(container, `spec.containers[${index}]`))];
  if (!old) return faults;
  const had = listAt(old, 'spec', 'tolerations');
  const has = listAt(pod, 'spec', 'tolerations');
  if (!isEqual(fixedPart(pod), fixedPart(old))) {
    const movable = '`spec.containers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)';
    faults.push({ reason: 'FieldValueForbidden', field: 'spec', message: `Forbidden: pod updates may not change fields other than ${movable}` });
  } else if (!had.every((toleration) => has.some((candidate) => isEqual(candidate, toleration)))) {
    faults.push({ reason: 'FieldValueForbidden', field: 'spec.tolerations', message: 'Forbidden: existing toleration can not be modified except its tolerationSeconds' });
  }
  return faults;
}

function gracePeriod(pod: ApiObject): number {
  if (textAt(pod, 'spec', 'nodeName') === '' || isTerminal(pod)) return 0;
  const seconds = at(pod, 'spec', 'terminationGracePeriodSeconds');
  return typeof seconds === 'number' ? seconds : 30;
}

export const podStrategy: Strategy = { fill, validate, gracePeriod };
