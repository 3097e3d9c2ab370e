import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readManifests } from '../../devplane/manifests';
import { Kinds } from '../../sdk/api/kinds';
import { describeRealPlane } from '../harness/real-plane/binaries';
import { ADMIN } from '../harness/real-plane/identities';
import { InstalledKinds } from '../harness/real-plane/manifest-objects';
import { probe } from '../harness/real-plane/readiness';
import { type RealPlane, startRealPlane } from '../harness/real-plane/real-plane';
import { loadedAtStart, reloading } from '../harness/real-plane/reload';

jest.setTimeout(150_000);

const deploy = resolve(__dirname, '../../deploy');
const count = (folder: string, kind: string): number => readManifests(join(deploy, folder)).filter((object) => object.kind === kind).length;

describeRealPlane('the files of deploy/ on Kubernetes 1.37', () => {
  let plane: RealPlane;
  beforeAll(async () => {
    plane = await startRealPlane();
  });
  afterAll(() => plane?.stop());

  it('boot on an empty store with every policy, validating and mutating', () => {
    const apiServer = plane.servers['kube-apiserver'];
    expect(loadedAtStart(apiServer, 'ValidatingAdmissionPolicy')).toBe(count('policies', 'ValidatingAdmissionPolicy'));
    expect(loadedAtStart(apiServer, 'MutatingAdmissionPolicy')).toBe(count('policies/mutating', 'MutatingAdmissionPolicy'));
  });

  it('are accepted as CRDs: each is Established, with a structural schema and rules that compile', async () => {
    const admin = await plane.connectAs(ADMIN);
    const { items } = await admin.list(InstalledKinds.CustomResourceDefinition);
    admin.close();
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(readManifests(join(deploy, 'crds')).map(({ metadata }) => metadata.name).sort());
    for (const { status } of items) {
      const faults = status?.conditions?.filter(({ type, status: is }) => type === 'NonStructuralSchema' || is !== 'True');
      expect(faults).toEqual([]);
    }
  });

  it('let any user read the three classes, and no more', async () => {
    const tenant = await plane.connectAs('tenant-a');
    const { items } = await tenant.list(Kinds.MacClass);
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(['base', 'pro', 'studio']);
    await expect(tenant.list(Kinds.MacNode)).rejects.toMatchObject({ detail: { code: 403 } });
    await expect(tenant.list(Kinds.MacNodeBinding)).rejects.toMatchObject({ detail: { code: 403 } });
    tenant.close();
  });

  it('send the webhooks to an operator by a reload, without a restart', async () => {
    await plane.redirectWebhooks('https://127.0.0.1:1', plane.ca);
    const admin = await plane.connectAs(ADMIN);
    const lease = { metadata: { namespace: 'default', name: 'ci' }, spec: { class: 'base' } };
    await expect(admin.create(Kinds.MacNodeLease, lease, { dryRun: true })).rejects.toThrow(/failed calling webhook "mutate.macrack.io".*connection refused/);
    admin.close();
  });

  it('stay as they were when a bad file is put beside them', async () => {
    const apiServer = plane.servers['kube-apiserver'];
    plane.admission.write('ValidatingAdmissionPolicy', 'bad.yaml', 'kind: Nonsense\n');
    plane.admission.write('MutatingAdmissionPolicy', 'm3.yaml', readFileSync(join(deploy, 'policies/mutating/m1-node-taint.yaml'), 'utf8').replaceAll('m1-node-taint', 'm3-same-again'));
    await reloading(apiServer, ['MutatingAdmissionPolicy'], () => plane.admission.write('MutatingAdmissionPolicy', 'm3.yaml', ''));
    const admin = await plane.connectAs(ADMIN);
    await expect(admin.remove(InstalledKinds.CustomResourceDefinition, { name: 'macnodebindings.macrack.io' })).rejects.toThrow(/p8b-crds/);
    admin.close();
  });
});

describeRealPlane('a plane that was stopped', () => {
  it('leaves no server behind', async () => {
    const plane = await startRealPlane({ install: [] });
    await plane.stop();
    expect(Object.values(plane.servers).map(({ ended }) => ended !== undefined)).toEqual([true, true, true, true]);
    expect(await probe(`${plane.url}/readyz`)).toBe(0);
  });
});
