import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { until } from '../../sdk/client/until';
import { readManifests } from '../../devplane/manifests';
import { Kinds } from '../../sdk/api/kinds';
import { describeRealPlane } from '../harness/real-plane-suite';
import { ADMIN } from '../../realplane/identities';
import { kubectl } from '../../realplane/kubectl';
import { InstalledKinds } from '../../realplane/manifest-objects';
import { probe } from '../../realplane/readiness';
import { type RealPlane, startRealPlane } from '../../realplane/real-plane';
import { loadedAtStart } from '../../realplane/reload';

const deploy = resolve(__dirname, '../../deploy');
const count = (folder: string, kind: string): number => readManifests(join(deploy, folder)).filter((object) => object.kind === kind).length;

describeRealPlane('the files of deploy/ on Kubernetes 1.37', () => {
  let plane: RealPlane;
  beforeAll(async () => {
    plane = await startRealPlane();
  });
  afterAll(() => plane?.stop());

  it('boot on an empty store with every policy, validating and mutating', () => {
    const apiServer = plane.servers.get('kube-apiserver');
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

  const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: kube-system, annotations: {kubernetes.io/service-account.name: namespace-controller}}\ntype: kubernetes.io/service-account-token\n';
  it.each([
    ['the policy of the Clock', 'p8a-admission-objects', ['delete', 'validatingadmissionpolicy', 'release-floor.macrack.io']],
    ['a CRD', 'p8b-crds', ['delete', 'crd', 'macnodebindings.macrack.io', '--wait=false']],
    ['the API group', 'p8c-api-services', ['patch', 'apiservice', 'v1.macrack.io', '--type=merge', '-p', '{"spec":{"service":{"name":"evil","namespace":"default"}}}']],
    ['the end of a namespace', 'p8d-namespace-finalize', ['replace', '--raw', '/api/v1/namespaces/macrack-system/finalize', '-f', '-'], '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"macrack-system"},"spec":{"finalizers":[]}}'],
    ['the token of a system account', 'p8e-system-tokens', ['create', 'token', 'namespace-controller', '-n', 'kube-system']],
    ['a Secret for such a token', 'p8f-token-secrets', ['create', '-f', '-'], secret],
  ])('keep a member of system:masters from %s', async (_what, policy, args, input = '') => {
    const { code, err } = await kubectl(plane, ADMIN, args, input);
    expect([code, err]).toEqual([1, expect.stringContaining(`ValidatingAdmissionPolicy '${policy}.macrack.static.k8s.io'`)]);
  });

  it('send the webhooks to an operator by a reload, without a restart', async () => {
    await plane.redirectWebhooks('https://127.0.0.1:1', plane.ca);
    const admin = await plane.connectAs(ADMIN);
    const lease = { metadata: { namespace: 'default', name: 'ci' }, spec: { class: 'base' } };
    await expect(admin.create(Kinds.MacNodeLease, lease, { dryRun: true })).rejects.toThrow(/failed calling webhook "mutate.macrack.io".*connection refused/);
    admin.close();
  });

  it('stay as they were when a bad file is put beside them', async () => {
    const apiServer = plane.servers.get('kube-apiserver');
    plane.admission.write('ValidatingAdmissionPolicy', 'bad.yaml', 'kind: Nonsense\n');
    await until('the API server refuses the file', () => Promise.resolve(/"reloading manifest config" err=.*plugin="ValidatingAdmissionPolicy"/.test(apiServer.log()) || undefined));
    const admin = await plane.connectAs(ADMIN);
    await expect(admin.remove(InstalledKinds.CustomResourceDefinition, { name: 'macnodebindings.macrack.io' })).rejects.toThrow(/p8b-crds/);
    admin.close();
  });
});

describeRealPlane('a plane whose API server and store are killed', () => {
  let plane: RealPlane;
  beforeAll(async () => {
    plane = await startRealPlane();
  });
  afterAll(() => plane?.stop());

  it('has everything when they are started again', async () => {
    const admin = await plane.connectAs(ADMIN);
    await admin.create(Kinds.MacNodeLease, { metadata: { namespace: 'default', name: 'ci' }, spec: { class: 'base' } });
    for (const name of ['kube-apiserver', 'etcd'] as const) await plane.servers.kill(name);
    expect(plane.servers.get('etcd').ended).toBe('ended by SIGKILL');
    for (const name of ['etcd', 'kube-apiserver'] as const) await plane.servers.start(name);
    expect((await admin.get(Kinds.MacNodeLease, { namespace: 'default', name: 'ci' })).spec.class).toBe('base');
    admin.close();
  });

  it('leaves no server behind when it is stopped', async () => {
    await plane.stop();
    for (const name of ['kube-controller-manager', 'kube-scheduler', 'kube-apiserver', 'etcd'] as const) expect(plane.servers.get(name).ended).toBeDefined();
    expect(existsSync(plane.directory)).toBe(false);
    expect(await probe(`${plane.url}/readyz`)).toBe(0);
  });
});
