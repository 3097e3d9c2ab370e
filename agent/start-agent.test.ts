import { Kinds, Taint } from '../sdk/api';
import { NODE, Rig, SERIAL } from './testing/rig';

describe('an agent on an enrolled Mac', () => {
  let rig: Rig;
  beforeEach(() => { rig = new Rig(); });
  afterEach(() => rig.end());

  it('registers a Node for two machines with the taint of an unleased Mac', async () => {
    await rig.enrol();
    await rig.start().ready;
    const node = await rig.node();
    expect(node?.metadata.labels).toEqual({ 'macrack.io/serial': SERIAL, 'kubernetes.io/os': 'darwin' });
    expect(node?.spec.taints).toEqual([{ key: Taint.Unleased, effect: 'NoSchedule' }]);
    expect(node?.status?.capacity).toEqual({ 'macrack.io/macos-vm': '2', pods: '2' });
    expect(node?.status?.allocatable).toEqual(node?.status?.capacity);
    expect(node?.status?.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
    await expect(rig.plane.get(Kinds.CoordinationLease, { namespace: 'kube-node-lease', name: NODE })).resolves.toMatchObject({ spec: { holderIdentity: NODE } });
  });

  it('starts the machine of a pod, reports it, stops it and removes the pod', async () => {
    const claim = await rig.leased();
    await rig.keep('uid-vm0');
    const pod = await rig.pod({ bindingUID: claim.metadata.uid });
    await rig.untilInTime('the pod has an address', async () => (await rig.podStatus(pod))?.podIP !== undefined);
    await rig.until('the machine is reported', async () => (await rig.macStatus()).vms?.[0]?.ip !== undefined);
    const status = await rig.macStatus();
    expect(status).toMatchObject({
      nodeRef: NODE, vmCount: 1, bindingUID: claim.metadata.uid, leaked: 0, journalSeq: 1,
      vms: [{ instanceUID: 'uid-vm0', podUID: pod.metadata.uid, state: 'Running', bindingUID: claim.metadata.uid }],
      disks: [{ instanceUID: 'uid-vm0', tenant: 'tenant-a', bindingUID: claim.metadata.uid }],
      journal: [{ seq: 1, event: 'Started', vmCount: 1, tenant: 'tenant-a' }],
    });
    await rig.plane.remove(Kinds.Pod, { namespace: 'tenant-a', name: 'ci-vm-0' });
    await rig.until('the pod is gone', async () => (await rig.podStatus(pod)) === undefined);
    expect(rig.mac.running()).toEqual([]);
    await rig.until('the stop is reported', async () => (await rig.macStatus()).vmCount === 0);
    expect((await rig.macStatus()).journal?.map(({ event, reason }) => [event, reason])).toEqual([['Started', undefined], ['Stopped', 'PodDeleted']]);
  });
});
