import { until } from '../../sdk/client/until';
import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import type { PlaneInSight } from './plane-eyes';
import type { TestTenant } from './plane-suite';

/** Does something with the tenant's own credentials, past any tool. */
async function asTenant<R>({ development }: PlaneInSight, { namespace }: TestTenant, act: (plane: ControlPlane) => Promise<R>): Promise<R> {
  const plane = await development.connectAs(namespace);
  return act(plane).finally(() => plane.close());
}

function untilPhase(plane: ControlPlane, { namespace }: TestTenant, name: string, phase: string): Promise<MacNodeLease> {
  return until(`lease ${name} is ${phase}`, async () => {
    const lease = await plane.get(Kinds.MacNodeLease, { namespace, name });
    return lease.status?.phase === phase ? lease : undefined;
  });
}

/** Leases a Mac, and waits until it is Bound. */
export function leaseOutside(suite: PlaneInSight, tenant: TestTenant, name: string, className = 'base'): Promise<MacNodeLease> {
  return asTenant(suite, tenant, async (plane) => {
    await plane.create(Kinds.MacNodeLease, { metadata: { namespace: tenant.namespace, name }, spec: { class: className } });
    return untilPhase(plane, tenant, name, 'Bound');
  });
}

/** Gives a young lease back, and waits until it is Held. */
export function releaseOutside(suite: PlaneInSight, tenant: TestTenant, name: string): Promise<MacNodeLease> {
  return asTenant(suite, tenant, async (plane) => {
    await plane.patch(Kinds.MacNodeLease, { namespace: tenant.namespace, name }, { spec: { release: true } });
    return untilPhase(plane, tenant, name, 'Held');
  });
}

/** Deletes the object of a young lease, and waits until it is Held: such a lease can never be kept. */
export function deleteOutside(suite: PlaneInSight, tenant: TestTenant, name: string): Promise<MacNodeLease> {
  return asTenant(suite, tenant, async (plane) => {
    await plane.remove(Kinds.MacNodeLease, { namespace: tenant.namespace, name });
    return untilPhase(plane, tenant, name, 'Held');
  });
}
