import { Kinds } from '../../../sdk/api/kinds';
import { instance, lease } from '../declared';
import { hides, refusedFor, writesNothing } from '../judge';
import type { Demo, Finding, Step } from '../step';

async function serialOfA({ a, admin }: Demo): Promise<string> {
  return (await admin.get(Kinds.MacNodeLease, { namespace: a.namespace, name: 'ci' })).status?.chassis ?? '';
}

async function pin(demo: Demo): Promise<readonly Finding[]> {
  const { a, b, admin, show } = demo;
  const project = b.project('pin');
  project.declare(lease('mine', { serial: await serialOfA(demo) }));
  const [run, untouched] = await writesNothing(admin, () => project.plan());
  show(b, run);
  return [...refusedFor(run, 'SerialUnavailable'), hides(run, a.namespace, 'vm-1', 'vm-2'), untouched];
}

/** Tenant B asks for the Mac that tenant A leases. */
export const pinForeignSerial: Step = { title: () => "Tenant B pins tenant A's serial: refused, and B learns nothing about A", run: pin };

/** Tenant B puts a machine on tenant A's lease. */
export const placeOnForeignLease: Step = {
  title: ({ plan }) => `Tenant B's VM on tenant A's lease is refused at ${plan}`,
  async run({ a, b, admin, show }) {
    const project = b.project('squat');
    project.declare(instance('squatter', `${a.namespace}/ci`, { namespace: b.namespace }));
    const [run, untouched] = await writesNothing(admin, () => project.plan());
    show(b, run);
    return [...refusedFor(run, 'CrossTenant'), hides(run, 'vm-1', 'vm-2'), untouched];
  },
};

/** The Held Mac stays out of reach of others. */
export const pinHeldSerial: Step = { title: () => 'Tenant B cannot get the Held Mac', run: pin };
