import { isDeepStrictEqual } from 'node:util';
import { worked } from '../../../cli/pulumi/workspace';
import { Kinds } from '../../../sdk/api/kinds';
import { asking, instancesOnPlane, leaseOnPlane, phasesOfInstances, untilInstance } from '../../harness/plane-eyes';
import type { TestTenant } from '../../harness/plane-suite';
import { IMAGE, SHAPE, instance, lease } from '../../harness/pulumi/declarations';
import { actions, type PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';
import { macs } from '../../harness/plane-suite';
import { saying } from '../../harness/saying';

describePulumi('two instances on a lease', { macs: macs(3), tenants: 2 }, (suite) => {
  let tenant: TestTenant;
  let project: PulumiProject;
  const leases = [lease('ci'), lease('spare')];
  const pair = [...leases, instance('vm-1', 'ci'), instance('vm-2', 'ci')];
  const uidOf = async (name: string) => (await instancesOnPlane(suite(), tenant))[name]?.metadata.uid;

  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant).program(...pair);
    await project.updated();
  });

  it('are no change in the next preview, and their outputs are what the plane shows', async () => {
    worked(await project.preview('--expect-no-changes'));
    const { 'vm-1': vm, ci } = await project.state();
    const { status } = (await instancesOnPlane(suite(), tenant))['vm-1'] ?? {};
    expect(vm?.outputs).toMatchObject({ phase: 'Running', lease: `${tenant.namespace}/ci`, slot: status?.slot, node: status?.node, machineId: status?.machineID, mac: status?.mac });
    expect([vm?.id, ci?.id, ci?.outputs.leaseId]).toEqual([`${tenant.namespace}/vm-1`, `${tenant.namespace}/ci`, `${tenant.namespace}/ci`]);
  });

  it.each([
    ['preview', (p: PulumiProject) => p.preview()],
    ['up', (p: PulumiProject) => p.up()],
    ['up without a preview', (p: PulumiProject) => p.upWithoutPreview()],
  ] as const)('take no third in %s: refused at it, with both holders, the Mac, the rule and what frees a slot', async (_name, act) => {
    project.program(...pair, instance('vm-3', 'ci'));
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => act(project));
    const { chassis } = (await leaseOnPlane(suite(), tenant, 'ci')).status ?? {};
    const { namespace } = tenant;
    const holder = (name: string) => `${namespace}/${name} \\(Running, 0h [0-9]{2}m old, of ${namespace}\\)`;
    const sentence = new RegExp(`ThirdInstance: lease ${namespace}/ci takes two instances\\. Lease ${namespace}/ci \\(Mac ${chassis}\\) takes 2 instances, and 3 are asked for\\. `
      + `Its slots are held by ${holder('vm-1')} and ${holder('vm-2')}; refused: ${namespace}/vm-3\\. .*section 2B\\(iii\\).*\`kubectl delete macosinstance vm-1 -n ${namespace}\``);
    expect({ code: run.code, writes }).toEqual({ code: 1, writes: [] });
    expect(project.errors(run)).toEqual([
      { reason: 'ThirdInstance', resource: 'vm-3', message: saying(sentence) },
      { reason: 'ThirdInstance', resource: 'vm-3', message: saying(/resource 'vm-3'.* has a problem: ThirdInstance: /) },
    ]);
    expect(Object.keys(await project.state())).not.toContain('vm-3');
  });

  it('take no other one for one that is removed in the same update: the refusal names the two ways out', async () => {
    project.program(...leases, instance('vm-2', 'ci'), instance('vm-3', 'ci'));
    for (const run of [await project.preview(), await project.upWithoutPreview()]) {
      expect(run.code).toBe(1);
      expect(new Set(project.errors(run).map(({ reason, resource }) => `${reason} ${resource}`))).toEqual(new Set(['ThirdInstance vm-3']));
      expect(project.errors(run)[0]?.message).toMatch(/keep its resource name, which replaces it in its slot; or remove it in one update and add the other in the next/);
    }
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'vm-1': 'Running', 'vm-2': 'Running' });
  });

  it('take another one in the update after the one that removes theirs', async () => {
    const removed = await project.program(...leases, instance('vm-2', 'ci')).updated();
    expect(actions(removed)).toEqual({ 'vm-1': 'delete' });
    const added = await project.program(...leases, instance('vm-2', 'ci'), instance('vm-1', 'ci')).updated();
    expect(actions(added)).toEqual({ 'vm-1': 'create' });
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'vm-1': 'Running', 'vm-2': 'Running' });
  });

  it('are the same whether sizes are written 4Gi or 4096Mi', async () => {
    project.program(...leases, instance('vm-1', 'ci', { shape: { cpu: 2, memory: '4096Mi', disk: '40960Mi' } }), instance('vm-2', 'ci'));
    worked(await project.preview('--expect-no-changes'));
  });

  it('are replaced by another image or size, each in its slot: deleted first, whatever `deleteBeforeReplace` says', async () => {
    const before = { lease: (await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid, vm: await uidOf('vm-1') };
    project.program(
      ...leases, instance('vm-1', 'ci', { image: `${IMAGE}-beta` }, { deleteBeforeReplace: false }), instance('vm-2', 'ci', { shape: { ...SHAPE, cpu: 3 } }, { deleteBeforeReplace: false }),
    );
    const preview = await project.preview();
    expect({ code: preview.code, errors: project.errors(preview) }).toEqual({ code: 0, errors: [] });
    const { writes } = await asking(suite(), tenant.namespace, () => project.updated());
    for (const name of ['vm-1', 'vm-2']) {
      expect(writes.filter((write) => write.name === name || write.verb === 'create').map(({ verb }) => verb)[0]).toBe('delete');
    }
    expect(writes.map(({ verb, resource }) => `${verb} ${resource}`).sort()).toEqual(['create', 'create', 'delete', 'delete'].map((verb) => `${verb} macosinstances.macrack.io`));
    const { 'vm-1': one, 'vm-2': two } = await instancesOnPlane(suite(), tenant);
    expect([one?.spec.image, two?.spec.shape.cpu, one?.status?.phase, two?.status?.phase]).toEqual([`${IMAGE}-beta`, 3, 'Running', 'Running']);
    expect(one?.metadata.uid).not.toBe(before.vm);
    expect((await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid).toBe(before.lease);
  });

  it('move to another lease by a replacement of the instance alone', async () => {
    await project.program(...pair).updated();
    const run = await project.program(...leases, instance('vm-1', 'ci'), instance('vm-2', 'spare')).updated();
    expect(new Set(Object.keys(actions(run)))).toEqual(new Set(['vm-2']));
    expect((await instancesOnPlane(suite(), tenant))['vm-2']).toMatchObject({ spec: { leaseName: 'spare' }, status: { phase: 'Running' } });
    expect((await project.state())['vm-2']?.outputs).toMatchObject({ lease: `${tenant.namespace}/spare`, phase: 'Running' });
  });

  it('must fit their Mac together', async () => {
    project.program(...leases, instance('vm-1', 'ci'), instance('vm-2', 'spare'), instance('big', 'ci', { shape: { cpu: 4, memory: '13Gi', disk: '40Gi' } }));
    const run = await project.preview();
    expect(new Set(project.errors(run).map(({ reason, resource }) => `${reason} ${resource}`))).toEqual(new Set(['ShapeTooLarge big']));
    expect(project.errors(run)[0]?.message).toMatch(/2 instance\(s\) of lease .*\/ci ask for 17Gi of memory together, and a chassis of class base has 16Gi/);
  });

  describe('of which one was stopped by hand', () => {
    beforeAll(async () => {
      project.program(...leases, instance('vm-1', 'ci'), instance('vm-2', 'spare'));
      await suite().admin.patch(Kinds.MacOSInstance, { namespace: tenant.namespace, name: 'vm-1' }, { spec: { running: false } });
      await untilInstance(suite(), tenant, 'vm-1', 'Stopped');
    });

    it('drift in the power state alone, which the next update corrects: slot and identity stay', async () => {
      const run = worked(await project.preview('--refresh'));
      const [step] = run.steps.filter(({ urn, op }) => urn.endsWith('vm-1') && op !== 'refresh');
      const inputs = ['namespace', 'name', 'lease', 'image', 'shape', 'running'];
      const differ = inputs.filter((key) => !isDeepStrictEqual(step?.oldState?.outputs?.[key], step?.newState?.inputs?.[key]));
      expect([step?.op, differ]).toEqual(['update', ['running']]);
      const { status } = (await instancesOnPlane(suite(), tenant))['vm-1'] ?? {};
      await project.updated('--refresh');
      const after = (await instancesOnPlane(suite(), tenant))['vm-1']?.status;
      expect(after).toMatchObject({ phase: 'Running', slot: status?.slot, machineID: status?.machineID, mac: status?.mac });
    });

    it('count a stopped one: there is no third', async () => {
      const stopped = [...leases, instance('vm-1', 'ci', { running: false }), instance('vm-2', 'ci')];
      await project.program(...stopped).updated();
      const run = await project.program(...stopped, instance('vm-3', 'ci')).preview();
      expect(project.errors(run)[0]).toMatchObject({ reason: 'ThirdInstance', resource: 'vm-3', message: saying(/vm-1 \(Stopped, .*a stopped instance counts/) });
    });
  });

  it('of which one was deleted with kubectl: a refresh drops it, and the update makes it again on the same lease', async () => {
    await project.program(...pair).updated();
    const uid = (await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid;
    await suite().admin.remove(Kinds.MacOSInstance, { namespace: tenant.namespace, name: 'vm-1' });
    worked(await project.workspace.refresh());
    expect(Object.keys(await project.state()).sort()).toEqual(['ci', 'spare', 'vm-2']);
    const run = await project.updated();
    expect(actions(run)).toEqual({ 'vm-1': 'create' });
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'vm-1': 'Running', 'vm-2': 'Running' });
    expect((await leaseOnPlane(suite(), tenant, 'ci')).metadata.uid).toBe(uid);
  });
});
