import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newSigningRequest } from '../../cli/credential/signing-request';
import { deployDirectory } from '../../devplane/package-files';
import { readManifests } from '../../devplane/manifests';
import { ADMIN } from '../../realplane/identities';
import { kubectl, type Run } from '../../realplane/kubectl';
import { type RealPlane, startRealPlane } from '../../realplane/real-plane';
import { loadedAtStart, reloading } from '../../realplane/reload';
import { Kinds } from '../../sdk/api/kinds';
import { describeRealPlane } from '../harness/real-plane-suite';
import { admin, leaseYaml, printed, refusal } from './printed';
import { createdLease, untilLeasesAreCounted } from './quota';

const deploy = deployDirectory();
const sources = (folder: string, kind: string): number => readManifests(join(deploy, folder)).filter((object) => object.kind === kind).length;
const LAYER = join(deploy, 'kustomize', 'overlays', 'tamper-proof');

/** What `macrack manifests` prints and writes, on an API server that has seen nothing of MacRack. Its webhooks lead nowhere. */
describeRealPlane('the tamper-proof installation on Kubernetes 1.37', () => {
  let directory: string;
  let plane: RealPlane;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'macrack-tamper-proof-'));
    const ca = join(directory, 'ca');
    await printed('webhook-ca', '--out', ca);
    const files = ['admission', 'policies', 'mutating-policies', 'webhooks'].flatMap((part) => ['--part', part]);
    plane = await startRealPlane({
      install: [],
      layAdmission: async (out) => expect(await printed(...files, '--out', out, '--admission-dir', out, '--webhook-ca', join(ca, 'ca.crt'), '--webhook-url', 'https://127.0.0.1:1')).toBe(''),
    });
    await admin(plane, ['delete', 'namespace', 'macrack-system', '--wait']);
  });
  afterAll(async () => {
    await plane?.stop();
    rmSync(directory, { recursive: true });
  });

  const applied = async (args: readonly string[], input?: string): Promise<string[]> => (await admin(plane, ['apply', ...args], input)).trim().split('\n');

  it('boots on an empty store, with every policy and both webhooks', () => {
    const apiServer = plane.servers.get('kube-apiserver');
    expect(loadedAtStart(apiServer, 'ValidatingAdmissionPolicy')).toBe(sources('policies', 'ValidatingAdmissionPolicy'));
    expect(loadedAtStart(apiServer, 'MutatingAdmissionPolicy')).toBe(sources('policies/mutating', 'MutatingAdmissionPolicy'));
    expect(loadedAtStart(apiServer, 'ValidatingAdmissionWebhook')).toBe(1);
    expect(loadedAtStart(apiServer, 'MutatingAdmissionWebhook')).toBe(1);
  });

  it('is applied as it is printed: first the CRDs, then the rest', async () => {
    for (const line of await applied(['-f', '-'], await printed('--part', 'crds'))) expect(line).toMatch(/ created$/);
    await admin(plane, ['wait', '--for=condition=Established', '--timeout=60s', ...(await admin(plane, ['get', 'crds', '-o', 'name'])).trim().split('\n')]);
    const lines = await applied(['-f', '-'], await printed());
    expect(lines.filter((line) => !/ created$/.test(line))).toEqual(lines.filter((line) => line.startsWith('customresourcedefinition')));
  });

  it('is applied again, with nothing to change, while the policies are loaded', async () => {
    // kubectl sends the selector of a disruption budget anew each time, whatever it says.
    const changed = (lines: readonly string[]) => lines.filter((line) => !/ unchanged$|^poddisruptionbudget/.test(line));
    expect(changed(await applied(['-f', '-'], await printed()))).toEqual([]);
    expect(changed(await applied(['-k', LAYER]))).toEqual([]);
    expect(changed(await applied(['-k', join(deploy, 'crds')]))).toEqual([]);
  });

  it.each(['a first', 'a second'])('is applied by the server, %s time, while the policies are loaded', async () => {
    const forced = ['--server-side', '--force-conflicts'];
    for (const line of [...await applied([...forced, '-k', join(deploy, 'crds')]), ...await applied([...forced, '-k', LAYER])]) expect(line).toMatch(/ serverside-applied$/);
  });

  it('makes a lease wait for an operator', async () => {
    expect(await kubectl(plane, ADMIN, ['create', '-f', '-'], leaseYaml('default', 'ci'))).toEqual(refusal(/failed calling webhook "mutate\.macrack\.io".*connection refused/));
  });

  it('keeps a member of system:masters from policies, CRDs and roles', async () => {
    for (const what of [['validatingadmissionpolicybinding', 'release-floor.macrack.io'], ['crd', 'macnodebindings.macrack.io'], ['clusterrole', 'macrack-operator']]) {
      expect(await kubectl(plane, ADMIN, ['delete', ...what, '--wait=false'])).toEqual(refusal(/neither change nor go/));
    }
  });

  describe('an administrator by role macrack-administrator', () => {
    const ops = (args: readonly string[], input?: string): Promise<Run> => kubectl(plane, 'ops', args, input);
    beforeAll(() => admin(plane, ['create', 'clusterrolebinding', 'daily-administrators', '--clusterrole=macrack-administrator', '--user=ops']));

    it.each([
      ['makes a namespace', ['create', 'namespace', 'team-d']],
      ['gives a team the right to lease', ['create', 'rolebinding', 'editors', '-n', 'team-d', '--clusterrole=macrack-tenant-editor', '--group=team-d']],
      ['gives a reviewer the right to look', ['create', 'rolebinding', 'viewers', '-n', 'team-d', '--clusterrole=view', '--group=reviewers']],
      ['runs a workload', ['create', 'deployment', 'web', '-n', 'team-d', '--image=nginx']],
      ['sets a quota', ['create', 'quota', 'macrack', '-n', 'team-d', '--hard=count/macnodeleases.macrack.io=1']],
      ['names an auditor', ['create', 'clusterrolebinding', 'auditors', '--clusterrole=macrack-auditor', '--group=auditors']],
      ['reads every lease', ['get', 'macnodeleases', '-A', '-o', 'name']],
      ['reads the Macs', ['get', 'macnodes', '-o', 'name']],
      ['removes the namespace', ['delete', 'namespace', 'team-d', '--wait=false']],
    ])('%s', async (_what, args) => {
      expect(await ops(args)).toMatchObject({ code: 0, err: '' });
    });

    const csr = (name: string) => JSON.stringify({ apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name }, spec: { request: '', signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] } });
    it('enrols a Mac', async () => {
      const mac = { apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: 'c02ops' }, spec: { class: 'base', serial: 'c02ops', hardwareUUID: 'AAAA' } };
      expect(await ops(['create', '-f', '-'], JSON.stringify(mac))).toMatchObject({ code: 0 });
    });

    it.each([
      ['impersonates nobody', ['get', 'namespaces', '--as=macrack-operator'], /cannot impersonate/],
      ['makes nobody cluster-admin', ['create', 'clusterrolebinding', 'me', '--clusterrole=cluster-admin', '--user=ops'], /attempting to grant RBAC permissions not currently held/],
      ['makes no role that impersonates', ['create', 'clusterrole', 'actor', '--verb=impersonate', '--resource=users'], /attempting to grant RBAC permissions not currently held/],
      ['takes no token of a controller', ['create', 'token', 'namespace-controller', '-n', 'kube-system'], /p8e-system-tokens/],
      ['widens no role of MacRack', ['patch', 'clusterrole', 'macrack-tenant-viewer', '--type=merge', '-p', '{"rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["create"]}]}'], /p8g-rbac/],
    ])('%s', async (_what, args, message) => {
      expect(await ops(args)).toEqual(refusal(message));
    });

    it('approves no certificate', async () => {
      const { request } = await newSigningRequest();
      expect(await ops(['create', '-f', '-'], csr('operator-too').replace('"request":""', `"request":"${Buffer.from(request).toString('base64')}"`))).toMatchObject({ code: 0 });
      expect(await ops(['certificate', 'approve', 'operator-too'])).toEqual(refusal(/user not permitted to approve requests with signerName "kubernetes\.io\/kube-apiserver-client"/));
    });
  });

  describe('a tenant with a quota of two leases', () => {
    const tenant = (args: readonly string[], input?: string): Promise<Run> => kubectl(plane, ADMIN, ['--as=dev', '--as-group=team-q-editors', '--as-group=system:authenticated', ...args], input);

    it('gets the third refused', async () => {
      await reloading(plane.servers.get('kube-apiserver'), ['ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook'], () => {
        for (const plugin of ['ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook'] as const) rmSync(join(plane.admission.folder(plugin), 'macrack.yaml'));
      });
      await untilLeasesAreCounted(plane);
      await applied(['-f', '-'], await printed('--tenant', 'team-q', '--leases', '2'));
      for (const name of ['one', 'two']) await createdLease((yaml) => tenant(['create', '-f', '-'], yaml), 'team-q', name);
      expect(await tenant(['create', '-f', '-'], leaseYaml('team-q', 'three'))).toEqual(refusal(/exceeded quota: macrack, requested: count\/macnodeleases\.macrack\.io=1, used: count\/macnodeleases\.macrack\.io=2, limited: count\/macnodeleases\.macrack\.io=2/));
    });

    it('has nothing in another namespace, and no quota of its own to raise', async () => {
      expect(await tenant(['get', 'macnodeleases', '-n', 'default'])).toEqual(refusal(/forbidden/));
      expect(await tenant(['patch', 'resourcequota', 'macrack', '-n', 'team-q', '--type=merge', '-p', '{"spec":{"hard":{"count/macnodeleases.macrack.io":"9"}}}'])).toEqual(refusal(/forbidden/));
    });

    it('has leases whose finalizer an administrator does not strip', async () => {
      const operator = await plane.connectAs('macrack-operator');
      await operator.patch(Kinds.MacNodeLease, { namespace: 'team-q', name: 'one' }, { metadata: { finalizers: ['macrack.io/floor'] } });
      operator.close();
      expect(await kubectl(plane, 'ops', ['patch', 'macnodelease', 'one', '-n', 'team-q', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'])).toEqual(refusal(/p6-lease-finalizer/));
    });
  });
});
