import type { ApiObject, JsonObject } from '../json';
import { isEqual, isRecord, listAt, recordAt, textAt } from '../json';
import type { Cause } from '../schema/cause';
import type { User } from '../server/user';
import { forbidden } from '../server/status-error';
import type { Strategy } from './definition';
import { canonicalQuantity, isExtended, parseQuantity } from './quantity';

export const nodes = { group: '', resource: 'nodes' };
export const notReadyTaint = 'node.kubernetes.io/not-ready';

const restricted = (node: ApiObject | undefined) => Object.fromEntries(Object.entries(node?.metadata.labels ?? {}).filter(([key]) => key.split('/')[0]?.endsWith('node-restriction.kubernetes.io')));

/** What NodeRestriction forbids to a node that writes its own object. */
function restrict(node: ApiObject, old: ApiObject | undefined, user: User): void {
  if (!user.groups.includes('system:nodes')) return;
  if (user.name !== `system:node:${node.metadata.name}`) throw forbidden(nodes, node.metadata.name, `node "${user.name.replace('system:node:', '')}" is not allowed to modify node "${node.metadata.name}"`);
  const refuse = (what: string) => forbidden(nodes, node.metadata.name, `is not allowed to ${what}`);
  if (!isEqual(restricted(node), restricted(old))) throw refuse(`modify labels: ${Object.keys({ ...restricted(node), ...restricted(old) }).join(', ')}`);
  if (old && !isEqual(listAt(node, 'spec', 'taints'), listAt(old, 'spec', 'taints'))) throw refuse('modify taints');
}

function fill(node: ApiObject, old: ApiObject | undefined, user: User): void {
  restrict(node, old, user);
  const status = recordAt(node, 'status');
  for (const amounts of [status.capacity, status.allocatable]) {
    if (isRecord(amounts)) for (const name of Object.keys(amounts)) amounts[name] = canonicalQuantity(amounts[name]);
  }
  if (old) return;
  node.status ??= {};
  const spec: JsonObject = isRecord(node.spec) ? node.spec : (node.spec = {});
  const taints = listAt(spec, 'taints');
  if (!taints.some((taint) => textAt(taint, 'key') === notReadyTaint)) spec.taints = [...taints, { key: notReadyTaint, effect: 'NoSchedule' }];
}

/** Extended resources are counted, never split; the server sees to that before it asks a policy. */
function validate(node: ApiObject): Cause[] {
  return ['capacity', 'allocatable'].flatMap((list) => Object.entries(recordAt(node, 'status', list)).flatMap(([resource, amount]): Cause[] => {
    const isWhole = !isExtended(resource) || (parseQuantity(amount) ?? 0n) % 1_000_000_000n === 0n;
    return isWhole ? [] : [{ reason: 'FieldValueInvalid', field: `status.${list}.${resource}`, message: `Invalid value: ${JSON.stringify(amount)}: must be an integer` }];
  }));
}

export const nodeStrategy: Strategy = { fill, validate };

/** NodeRestriction for signs of life: a node's Lease bears its own name. */
export const nodeLeaseStrategy: Strategy = {
  fill(lease, _old, user) {
    if (user.groups.includes('system:nodes') && user.name !== `system:node:${lease.metadata.name}`) throw forbidden({ group: 'coordination.k8s.io', resource: 'leases' }, lease.metadata.name, 'can only access node lease with the same name as the requesting node');
  },
};
