import { until } from '../../sdk/client/until';
import { Kinds, type MacNodeLease } from '../../sdk/api';
import type { PlaneOfSuite, TestTenant, World } from '../harness/plane-suite';
import { instanceNamed, leaseNamed } from './objects';

/** A whole plane, and the two tenants that a tool's rows are asked in. */
export interface Stage<W extends World = World> {
  readonly suite: Pick<PlaneOfSuite<W>, 'admin' | 'development'>;
  readonly tenant: TestTenant;
  readonly other: TestTenant;
}

/** Macs that the table names are of another class, so that no lease without a pin gets one of them. */
export const PINNED = ['c02base1', 'c02base2', 'c02base3', 'c02free'].map((serial) => ({ serial, class: 'pro' as const }));

const smallShape = { cpu: 2, memory: '4Gi', disk: '40Gi' };

/** Makes a lease that is Bound and in no state of a tool. */
export async function bound({ suite: { admin } }: Stage, { namespace }: TestTenant, name: string): Promise<MacNodeLease> {
  await admin.create(Kinds.MacNodeLease, leaseNamed(namespace, name));
  return until(`lease ${name} is Bound`, async () => {
    const found = await admin.get(Kinds.MacNodeLease, { namespace, name });
    return found.status?.phase === 'Bound' ? found : undefined;
  });
}

/** The same, released before its floor. */
export async function held(stage: Stage, name: string): Promise<void> {
  const ref = { namespace: stage.tenant.namespace, name };
  await bound(stage, stage.tenant, name);
  await stage.suite.admin.patch(Kinds.MacNodeLease, ref, { spec: { release: true } });
  await until(`lease ${name} is Held`, async () => ((await stage.suite.admin.get(Kinds.MacNodeLease, ref)).status?.phase === 'Held' ? true : undefined));
}

/** Makes an instance on a bound lease and waits for its phase. */
export async function existingInstance({ suite, tenant: { namespace } }: Stage, on: MacNodeLease, name: string, phase: string): Promise<void> {
  const mac = suite.development.macs.get(on.status?.chassis ?? '')?.mac;
  if (mac !== undefined && phase === 'Failed') mac.faults.failNextStart = 'it does not boot';
  const wanted = instanceNamed(namespace, name, on.metadata.name, smallShape);
  await suite.admin.create(Kinds.MacOSInstance, { ...wanted, spec: { ...wanted.spec, running: phase !== 'Stopped' } });
  await until(`instance ${name} is ${phase}`, async () => ((await suite.admin.get(Kinds.MacOSInstance, { namespace, name })).status?.phase === phase ? true : undefined));
}
