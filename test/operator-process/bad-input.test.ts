import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describeRealPlane } from '../harness/real-plane-suite';
import { createAll, InstalledKinds } from '../../realplane/manifest-objects';
import { readManifests } from '../../devplane/manifests';
import { deployDirectory } from '../../devplane/package-files';
import { OPERATOR } from '../../realplane/identities';
import { reloading } from '../../realplane/reload';
import { Kinds, type MacClass } from '../../sdk/api/kinds';
import { until } from '../../sdk/client/until';
import { expiredAuthority } from './expired-authority';
import { FaultyProxy } from './faulty-proxy';
import { operatorKubeconfig, Replica } from './replica';
import { NAMESPACE, openWorld, type World } from './world';

type Condition = NonNullable<NonNullable<MacClass['status']>['conditions']>[number];
type Checks = Awaited<ReturnType<Replica['readiness']>>['checks'];

const P7B = 'p7b-claim-floor.yaml';
const faultsOf = (checks: Checks): (string | undefined)[] => checks.filter(({ ok }) => !ok).map(({ reason }) => reason);

describeRealPlane('an operator that is given what it cannot work with', () => {
  let world: World;
  let proxy: FaultyProxy;
  let replica: Replica;
  let auditDirectory: string;

  const condition = (type: string, holds: (c: Condition) => boolean): Promise<Condition> => until(`condition ${type} of every class`, async () => {
    const { items } = await world.admin.list(Kinds.MacClass);
    const found = items.map(({ status }) => status?.conditions?.find((c) => c.type === type));
    return found.every((c) => c !== undefined && holds(c)) ? found[0] : undefined;
  });
  const untilFaults = (...faults: string[]): Promise<Checks> => replica.untilReady(`it says ${faults.join(', ')}`, ({ checks }) => JSON.stringify(faultsOf(checks)) === JSON.stringify(faults)).then(({ checks }) => checks);
  const untilWell = () => replica.untilReady('it is ready, and leads', ({ ready, leader, code }) => ready && leader && code === 200);
  const phaseOf = async (name: string): Promise<string> => (await world.tenant.get(Kinds.MacNodeLease, { namespace: 'tenant-a', name })).status?.phase ?? 'Pending';

  beforeAll(async () => {
    world = await openWorld(['sim0001', 'sim0002', 'sim0003', 'sim0004']);
    proxy = await FaultyProxy.start(world.plane);
    proxy.faults = { version: 'v1.34.9', missing: 'clocks', forbidden: 'pods' };
    const kubeconfig = join(world.plane.directory, 'proxied.kubeconfig');
    writeFileSync(kubeconfig, proxy.kubeconfig(), { mode: 0o600 });
    auditDirectory = join(world.plane.directory, 'later');
    replica = new Replica({ identity: 'tested', auditFile: join(auditDirectory, 'audit.sqlite'), kubeconfig });
    await replica.webhookOrigin();
    await world.sendWebhooksTo(replica);
    await world.lease('one');
  });
  afterAll(async () => {
    await replica?.kill();
    await proxy?.stop();
    await world?.stop();
  });

  it('says all that is wrong at once: an old Kubernetes, a CRD and a right that are missing, a record that cannot be written', async () => {
    const checks = await untilFaults('KubernetesTooOld', 'CustomResourceMissing', 'RightMissing', 'PlaneUnavailable', 'AuditUnavailable');
    const messages = checks.map(({ message }) => message ?? '').join('\n');
    expect(messages).toMatch(/Kubernetes is v1\.34\.9; MacRack needs 1\.35 or later/);
    expect(messages).toMatch(/not installed: clocks\.macrack\.io\./);
    expect(messages).toMatch(/the operator may not: get pods; list pods; watch pods; create pods; delete pods\./);
    const { code, leader } = await replica.readiness();
    expect([code, leader, await phaseOf('one'), await replica.metric('macrack_check_ok{check="rights"}')]).toEqual([503, false, 'Pending', 0]);
    expect((await replica.ask('/healthz')).code).toBe(200);
    expect(await condition('OperatorReady', (c) => c.status === 'False')).toMatchObject({ reason: 'KubernetesTooOld' });
  });

  it('does what can be done without the record when the rest is put right: nothing is bound, and the lease says why', async () => {
    proxy.faults = {};
    await untilFaults('AuditUnavailable');
    const { status } = await until('the lease says why it waits', async () => {
      const lease = await world.tenant.get(Kinds.MacNodeLease, { namespace: 'tenant-a', name: 'one' });
      return lease.status?.reason === 'AuditUnavailable' ? lease : undefined;
    });
    expect(status?.phase).toBe('Pending');
    expect(await replica.metric('macrack_audit_writable')).toBe(0);
  });

  it('binds by itself when the record can be written', async () => {
    mkdirSync(auditDirectory);
    await world.untilLease('one', 'Bound');
    await untilWell();
    expect(await condition('OperatorReady', (c) => c.status === 'True')).toMatchObject({ reason: 'Working' });
  });

  it('binds nothing while the clock of the API server is not to be believed, and says so in condition, Event, log and readiness', async () => {
    proxy.faults = { ahead: 60_000 };
    const checks = await untilFaults('ClockSkew');
    expect(checks.find(({ ok }) => !ok)?.message).toMatch(/the Date header of the API server is (59|60|61)\.\d s ahead of the time that has passed on this host/);
    await replica.untilReady('its reconcilers rest', ({ leader }) => !leader);
    await expect(world.lease('two')).rejects.toThrow(/NotChecked: .* s ahead of the time that has passed/);
    const { message } = await condition('OperatorReady', (c) => c.reason === 'ClockSkew');
    expect(message).not.toMatch(/tenant-a|sim000/);
    await until('an Event says so', async () => {
      const { items } = await world.admin.list(Kinds.Event, { namespace: NAMESPACE });
      return items.find((event) => (event as unknown as { reason: string; type: string }).reason === 'ClockSkew') ?? undefined;
    });
    expect(replica.lines().some((line) => line.level === 50 && line['reason'] === 'ClockSkew')).toBe(true);
    expect(await replica.metric('macrack_clock_skew_seconds')).toBeGreaterThan(5);
    expect(await phaseOf('one')).toBe('Bound');
  });

  it('goes on by itself when the clock is right again', async () => {
    proxy.faults = {};
    await untilWell();
    await world.lease('two');
    await world.untilLease('two', 'Bound');
  });

  it('binds nothing while the policy that keeps a claim until its floor is not in force', async () => {
    const apiServer = world.plane.servers.get('kube-apiserver');
    await reloading(apiServer, ['ValidatingAdmissionPolicy'], () => rmSync(join(world.plane.admission.folder('ValidatingAdmissionPolicy'), P7B)));
    const checks = await untilFaults('PolicyMissing');
    expect(checks.find(({ ok }) => !ok)?.message).toMatch(/p7b-claim-floor is not in force/);
    await replica.untilReady('its reconcilers rest', ({ leader }) => !leader);
    await world.lease('three');
    expect(await condition('OperatorReady', (c) => c.status === 'False')).toMatchObject({ reason: 'PolicyMissing' });
    expect(await phaseOf('three')).toBe('Pending');
  });

  it('works where that policy is an object of the API, and says in every class that it could be taken away', async () => {
    const objects = readManifests(join(deployDirectory(), 'policies')).filter(({ metadata }) => metadata.name.startsWith('p7b-'))
      .map((object) => JSON.parse(JSON.stringify(object).replaceAll('.static.k8s.io', '.io')) as typeof object);
    await createAll(world.admin, objects);
    await untilWell();
    await world.untilLease('three', 'Bound');
    expect(await condition('TamperProof', (c) => c.status === 'False')).toMatchObject({ reason: 'PoliciesAreObjects' });
    expect(await replica.metric('macrack_tamper_proof')).toBe(0);
    await replica.says(/^TamperProof=False/);
  });

  it('says that nobody can take it away again when it is a file and the object is gone', async () => {
    const file = readFileSync(join(deployDirectory(), 'policies', P7B), 'utf8');
    await reloading(world.plane.servers.get('kube-apiserver'), ['ValidatingAdmissionPolicy'], () => {
      rmSync(join(world.plane.admission.folder('ValidatingAdmissionPolicy'), 'p8a-admission-objects.yaml'));
      world.plane.admission.write('ValidatingAdmissionPolicy', P7B, file);
    });
    const name = 'p7b-claim-floor.macrack.io';
    await until('the object may be removed', async () => world.admin.remove(InstalledKinds.ValidatingAdmissionPolicyBinding, { name }).then(() => true, () => undefined));
    await world.admin.remove(InstalledKinds.ValidatingAdmissionPolicy, { name });
    expect(await condition('TamperProof', (c) => c.status === 'True')).toMatchObject({ reason: 'PoliciesAreFiles' });
    expect(await replica.metric('macrack_tamper_proof')).toBe(1);
  });

  it('is not ready with a webhook CA that has expired', async () => {
    const directory = join(world.plane.directory, 'expired-ca');
    mkdirSync(directory);
    const { certificate, key } = await expiredAuthority();
    writeFileSync(join(directory, 'ca.crt'), certificate);
    writeFileSync(join(directory, 'ca.key'), key);
    const other = new Replica({ identity: 'expired', auditFile: join(auditDirectory, 'audit.sqlite'), kubeconfig: await operatorKubeconfig(world.plane), arguments: ['--webhook-ca-dir', directory] });
    try {
      const { checks, code } = await other.untilReady('it says why', (r) => JSON.stringify(faultsOf(r.checks)) === '["WebhookCertificateExpired"]');
      expect(code).toBe(503);
      expect(checks.find(({ ok }) => !ok)?.message).toMatch(/the webhooks' CA expired at .*running machines stay/);
    } finally {
      await other.kill();
    }
  });

  it('ends with one sentence and status 1 where the kubeconfig leads to no client certificate', async () => {
    const path = join(world.plane.directory, 'token.kubeconfig');
    writeFileSync(path, JSON.stringify({ apiVersion: 'v1', kind: 'Config', clusters: [{ name: 'c', cluster: { server: world.plane.url } }], users: [{ name: 'u', user: { token: 'secret-token' } }], contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }], 'current-context': 'x' }));
    const other = new Replica({ identity: 'x', auditFile: world.auditFile, kubeconfig: path });
    expect(await other.ended).toEqual({ code: 1, signal: null });
    expect(other.text).toBe('macrack: the kubeconfig holds no client certificate, and the agents of the Macs ask for one\n');
  });

  it('answers its probes while the API server does not, and a second signal ends it at once', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const path = join(world.plane.directory, 'silent.kubeconfig');
    const { port } = silent.address() as AddressInfo;
    writeFileSync(path, (await world.plane.kubeconfig(OPERATOR)).replaceAll(world.plane.url, `https://127.0.0.1:${port}`), { mode: 0o600 });
    const other = new Replica({ identity: 'silent', auditFile: join(auditDirectory, 'audit.sqlite'), kubeconfig: path });
    try {
      expect((await other.ask('/healthz')).code).toBe(200);
      const { checks } = await other.readiness();
      expect(faultsOf(checks)).toContain('NotChecked');
      other.child.kill('SIGTERM');
      await other.says('the operator ends');
      other.child.kill('SIGTERM');
      expect(await other.ended).toEqual({ code: 143, signal: null });
      expect(other.text).not.toContain('the operator has ended');
    } finally {
      await other.kill();
      silent.close();
    }
  });
});
