import { Kinds } from '../../../sdk/api/kinds';
import { Taint, nodeName } from '../../../sdk/api/names';
import { RELEASE_MARGIN_MS } from '../../../sdk/api/timing';
import { FLOOR_MS } from '../../../sdk/rules/limits';
import { lease } from '../declared';
import { exits } from '../judge';
import { finding, type Demo, type Finding, type Step } from '../step';
import { until } from '../../../sdk/client/until';

async function released({ a, admin }: Demo, serial: string): Promise<readonly Finding[]> {
  const claim = await admin.tryGet(Kinds.MacNodeBinding, { name: serial });
  const node = await admin.get(Kinds.Node, { name: nodeName(serial) });
  const mac = await admin.get(Kinds.MacNode, { name: serial });
  const gone = await admin.tryGet(Kinds.MacNodeLease, { namespace: a.namespace, name: 'ci' });
  const taints = (node.spec.taints ?? []).map((t) => t.key);
  return [
    finding('the lease is Released', gone === null || gone.status?.phase === 'Released', gone?.status?.phase ?? 'gone'),
    finding('the claim is gone', claim === null, claim === null ? 'no claim' : 'still claimed'),
    finding('the node is unleased', taints.includes(Taint.Unleased) && !taints.includes(Taint.Tenant), taints.join(', ')),
    finding('the Mac is wiped', (mac.status?.vmCount ?? -1) === 0 && (mac.status?.disks ?? []).length === 0, `${mac.status?.vmCount ?? '?'} VMs, ${(mac.status?.disks ?? []).length} disks`),
  ];
}

/** The operator releases by itself, and the next tenant gets the Mac. */
export const releaseAtFloor: Step = {
  title: () => 'The clock passes the floor: the Mac is released by itself, wiped, and tenant B leases it',
  async run(demo) {
    const { a, b, admin, show } = demo;
    const serial = (await admin.get(Kinds.MacNodeLease, { namespace: a.namespace, name: 'ci' })).status?.chassis ?? '';
    demo.advance(FLOOR_MS + 2 * RELEASE_MARGIN_MS);
    await until(`the claim on ${serial} goes`, async () => ((await admin.tryGet(Kinds.MacNodeBinding, { name: serial })) === null ? true : undefined));
    const findings = await released(demo, serial);
    const project = b.project('pin');
    project.declare(lease('mine', { serial }));
    const run = await project.apply();
    show(b, run);
    const mine = await admin.tryGet(Kinds.MacNodeLease, { namespace: b.namespace, name: 'mine' });
    return [...findings, exits(run, 0), finding('tenant B holds that Mac', mine?.status?.phase === 'Bound' && mine.status.chassis === serial, `${mine?.status?.phase ?? 'absent'} on ${mine?.status?.chassis ?? 'none'}`)];
  },
};

/** The auditor's question over the run. */
export const askAudit: Step = {
  title: () => 'The audit log answers: did any Mac run two tenants or three VMs?',
  async run({ audit }) {
    const { verdict, rows } = await audit();
    const said = Object.entries(rows).map(([type, count]) => `${count} x ${type}`).join(', ');
    return [finding('proven for every Mac over the run', verdict === 'proven', `${verdict}; ${said}`)];
  },
};
