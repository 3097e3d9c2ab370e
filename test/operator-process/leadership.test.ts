import { connect as connectTls } from 'node:tls';
import pino from 'pino';
import { AuditType, startOperatorProcess } from '../../operator';
import { openSqliteAuditLog } from '../../operator/audit/sqlite-audit-log';
import { missingRights, neededRights } from '../../operator/process/checks/rights';
import { ageClaim } from '../../realplane/ageing';
import { OPERATOR } from '../../realplane/identities';
import { Kinds } from '../../sdk/api/kinds';
import { RELEASE_MARGIN_MS } from '../../sdk/api/timing';
import { until } from '../../sdk/client/until';
import { FLOOR_MS } from '../../sdk/rules/limits';
import { describeRealPlane } from '../harness/real-plane-suite';
import { unusedRights, unwantedRequests } from './rights-in-use';
import { operatorKubeconfig, type Replica } from './replica';
import { NAMESPACE, openWorld, type World } from './world';

describeRealPlane('two replicas of the operator on Kubernetes 1.37', () => {
  let world: World;
  let first: Replica;
  let second: Replica;

  /** Serial number of the certificate that a new connection is shown. */
  const serialOf = (origin: string, ca: string): Promise<string> => new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const socket = connectTls({ host: hostname, port: Number(port), ca }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.end();
    }).on('error', reject);
  });
  const holder = async (): Promise<string | undefined> => (await world.admin.tryGet(Kinds.CoordinationLease, { namespace: NAMESPACE, name: 'macrack-operator' }))?.spec.holderIdentity;

  beforeAll(async () => {
    world = await openWorld(['sim0001', 'sim0002', 'sim0003']);
    // At the same instant: neither finds a leader, a record or a CA of the webhooks.
    const [left, right] = await Promise.all([world.replica('left'), world.replica('right')]);
    await Promise.all([left, right].map((each) => each.untilReady('it is ready', ({ ready }) => ready)));
    const leader = await until('one leads', async () => (await left.readiness()).leader ? left : (await right.readiness()).leader ? right : undefined);
    [first, second] = leader === left ? [left, right] : [right, left];
    await world.sendWebhooksTo(second);
  });
  afterAll(() => world?.stop());

  it('that start at the same instant agree on one leader, and both are ready', async () => {
    expect(await holder()).toBe(first.identity);
    expect([(await first.readiness()).leader, (await second.readiness()).leader]).toEqual([true, false]);
    expect([await first.metric('macrack_leader'), await second.metric('macrack_leader')]).toEqual([1, 0]);
  });

  it('that start at the same instant have certificates of one CA', async () => {
    const ca = await world.webhookCa();
    const serials = await Promise.all([first, second].map(async (each) => serialOf(await each.webhookOrigin(), ca)));
    expect(new Set(serials).size).toBe(2);
  });

  it('bind a lease, with the webhooks of the one that does not lead', async () => {
    await world.lease('one');
    const { status, metadata } = await world.untilLease('one', 'Bound');
    expect(status?.chassis).toMatch(/^sim/);
    expect(metadata.annotations?.['macrack.io/requested-by']).toBe('tenant-a');
  });

  it('record it once', async () => {
    const record = await openSqliteAuditLog(world.auditFile);
    const bound = () => record.rows({ type: AuditType.LeaseBound });
    await until('its outcome is recorded', async () => (await bound()).some(({ stage }) => stage === 'outcome') || undefined);
    expect((await bound()).map(({ stage }) => stage)).toEqual(['intent', 'outcome']);
    await record.close();
  });

  it('show it in the metrics of the leader, without a name of anybody', async () => {
    await until('the metrics show the leased chassis', async () => await first.metric('macrack_leased_chassis{class="base"}') === 1 || undefined);
    expect(await first.metric('macrack_unleased_chassis{class="base"}')).toBe(2);
    expect(await first.metric('macrack_tamper_proof')).toBe(1);
    const texts = [(await first.ask('/metrics')).text, (await second.ask('/metrics')).text];
    for (const text of texts) expect(text).not.toMatch(/tenant-a|sim000|"one"/);
    expect(texts[1]).not.toMatch(/macrack_leased_chassis\{/);
  });

  it('finish a bind with the other one when the leader is killed', async () => {
    first.child.kill('SIGSTOP');
    await world.lease('two');
    await first.kill();
    await world.untilLease('two', 'Bound');
    expect(await holder()).toBe(second.identity);
    expect(await second.metric('macrack_leader')).toBe(1);
  });

  it('lets a leader that is asked to end hand over at once, with exit status 0', async () => {
    first = await world.replica('first-again');
    await world.sendWebhooksTo(first);
    await first.untilReady('the new replica is ready', ({ ready }) => ready);
    await second.stop();
    expect(await second.ended).toEqual({ code: 0, signal: null });
    expect(second.lines().at(-1)).toMatchObject({ msg: 'the operator has ended' });
    await first.untilReady('the new replica leads', ({ leader }) => leader);
    await world.lease('three');
    await world.untilLease('three', 'Bound');
  });

  it('runs an instance, and gives the Mac back after the floor', async () => {
    const [lease, instance] = [{ namespace: 'tenant-a', name: 'three' }, { namespace: 'tenant-a', name: 'vm' }];
    const shape = { cpu: 2, memory: '4Gi', disk: '40Gi' };
    await world.tenant.create(Kinds.MacOSInstance, { metadata: instance, spec: { leaseName: 'three', image: 'ghcr.io/acme/macos:15', shape } });
    await until('the instance runs', async () => (await world.tenant.get(Kinds.MacOSInstance, instance)).status?.phase === 'Running' || undefined);
    await world.tenant.patch(Kinds.MacNodeLease, lease, { spec: { release: true } });
    const { status } = await world.untilLease('three', 'Held');
    await until('the metrics show the held chassis', async () => await first.metric('macrack_held_chassis{class="base"}') === 1 || undefined);
    expect(await first.metric('macrack_leased_chassis{class="base"}')).toBe(3);
    await ageClaim(world.plane.store, { serial: status?.chassis ?? '', lease }, FLOOR_MS + 2 * RELEASE_MARGIN_MS);
    await world.untilLease('three', 'Released');
    expect(await world.admin.tryGet(Kinds.MacNodeBinding, { name: status?.chassis ?? '' })).toBeNull();
    await until('the metrics show the chassis free', async () => await first.metric('macrack_unleased_chassis{class="base"}') === 1 || undefined);
  });

  it('counts what was refused, by reason and layer', async () => {
    for (const name of ['a', 'b']) await world.tenant.create(Kinds.MacOSInstance, { metadata: { namespace: 'tenant-a', name }, spec: { leaseName: 'two', image: 'i.example/macos:15', shape: { cpu: 1, memory: '1Gi', disk: '20Gi' } } });
    await expect(world.tenant.create(Kinds.MacOSInstance, { metadata: { namespace: 'tenant-a', name: 'c' }, spec: { leaseName: 'two', image: 'i.example/macos:15', shape: { cpu: 1, memory: '1Gi', disk: '20Gi' } } })).rejects.toThrow(/ThirdInstance/);
    expect(await first.metric('macrack_refusals_total{reason="ThirdInstance",layer="webhook"}')).toBe(1);
    const { text } = await first.ask('/metrics');
    expect(text).toMatch(/macrack_webhook_seconds_count\{webhook="validate",allowed="false"\} 1/);
    expect(text).toMatch(/macrack_reconcile_seconds_count\{queue="lease"\} \d+/);
  });

  it('writes JSON lines in which no key stands', async () => {
    const { key } = await world.plane.identify(OPERATOR);
    const secrets = [key, Buffer.from(key).toString('base64'), 'PRIVATE KEY'];
    for (const replica of [first, second]) {
      expect(replica.lines().length).toBeGreaterThan(3);
      for (const secret of secrets) expect(replica.text).not.toContain(secret);
    }
  });

  it('renews its certificate while the API server keeps calling, and drops no call', async () => {
    const rotating = await startOperatorProcess({
      connect: { configPath: await operatorKubeconfig(world.plane) }, auditFile: world.auditFile, namespace: NAMESPACE, identity: 'rotating', log: pino({ level: 'silent' }),
      metrics: { host: '127.0.0.1', port: 0 }, webhooks: { host: '127.0.0.1', port: 0, names: [], certificateLifeMs: 4500 },
    });
    try {
      const origin = await until('its webhooks listen', () => Promise.resolve(rotating.webhookOrigin()));
      const ca = await world.webhookCa();
      await world.plane.redirectWebhooks(origin, ca);
      const serials = new Set<string>();
      await until('three certificates were shown', async () => {
        serials.add(await serialOf(origin, ca));
        await world.tenant.create(Kinds.MacNodeLease, { metadata: { namespace: 'tenant-a', name: 'asked' }, spec: { class: 'base' } }, { dryRun: true });
        return serials.size >= 3 || undefined;
      });
    } finally {
      await world.sendWebhooksTo(first);
      await rotating.stop();
    }
  });

  it('has every right that it needs, and asks for nothing that deploy/rbac does not give', async () => {
    const operator = await world.plane.connectAs(OPERATOR);
    expect(await missingRights(operator, neededRights(NAMESPACE))).toEqual([]);
    operator.close();
    expect(unwantedRequests(world.plane.apiAuditFile, neededRights(NAMESPACE))).toEqual([]);
    expect(unusedRights(world.plane.apiAuditFile, neededRights(NAMESPACE))).toEqual([]);
  });
});
