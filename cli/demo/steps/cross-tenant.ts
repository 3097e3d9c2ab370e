import { Kinds } from '../../../sdk/api/kinds';
import { header, instance, lease } from '../configurations';
import { hides, refusedFor, writesNothing } from '../judge';
import type { Demo, Finding, Step } from '../step';

async function serialOfA({ a, admin }: Demo): Promise<string> {
  return (await admin.get(Kinds.MacNodeLease, { namespace: a.namespace, name: 'ci' })).status?.chassis ?? '';
}

async function pin(demo: Demo): Promise<readonly Finding[]> {
  const { a, b, admin, show } = demo;
  const workspace = b.workspace('pin');
  workspace.write([header(b.kubeconfig), lease('mine', `serial = "${await serialOfA(demo)}"`)].join('\n'));
  const [run, untouched] = await writesNothing(admin, () => workspace.plan());
  show(b, run);
  return [...refusedFor(run, 'SerialUnavailable'), hides(run, a.namespace, 'vm-1', 'vm-2'), untouched];
}

/** Tenant B asks for the Mac that tenant A leases. */
export const pinForeignSerial: Step = { title: "Tenant B pins tenant A's serial: refused, and B learns nothing about A", run: pin };

/** Tenant B puts a machine on tenant A's lease. */
export const placeOnForeignLease: Step = {
  title: "Tenant B's VM on tenant A's lease is refused at plan",
  async run({ a, b, admin, show }) {
    const workspace = b.workspace('squat');
    workspace.write([header(b.kubeconfig), `${instance('squatter', `"${a.namespace}/ci"`).replace(/\n}\n$/, `\n  namespace = "${b.namespace}"\n}\n`)}`].join('\n'));
    const [run, untouched] = await writesNothing(admin, () => workspace.plan());
    show(b, run);
    return [...refusedFor(run, 'CrossTenant'), hides(run, 'vm-1', 'vm-2'), untouched];
  },
};

/** The Held Mac stays out of reach of others. */
export const pinHeldSerial: Step = { title: 'Tenant B cannot get the Held Mac', run: pin };
