import { Kinds, type KubeObject, type MacNodeLease, type MacNodeLeaseSpec } from '../../sdk/api';
import { AuditType } from '../audit/audit-log';
import { HOUR_MS, Rig, TENANT } from '../testing/rig';
import type { AdmissionRequest, AdmissionResponse } from './review';
import { validate } from './validate';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
let rig: Rig;
beforeEach(async () => {
  rig = await Rig.open('c02a');
  await rig.operate();
  await rig.createLease('ios');
  await rig.untilLease('ios', 'Bound');
});
afterEach(() => rig.close());

const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const ask = (kind: string, operation: AdmissionRequest['operation'], of: Partial<AdmissionRequest>): Promise<AdmissionResponse> =>
  validate({ plane: rig.plane, audit: rig.audit, log }, { uid: 'r1', kind: { group: kind === 'Pod' ? '' : 'macrack.io', kind }, operation, namespace: TENANT, userInfo: { username: 'alice' }, ...of });
const made = (name: string, spec: object): KubeObject => ({ apiVersion: '', kind: '', metadata: { name, uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '2026-11-29T10:00:00Z' }, spec });
const shape = { cpu: 2, memory: '4Gi', disk: '60Gi' };
const newInstance = (name: string, spec: object = {}, of: Partial<AdmissionRequest> = {}) => ask('MacOSInstance', 'CREATE', { object: made(name, { leaseName: 'ios', image: 'i', running: true, shape, ...spec }), ...of });
const newLease = (name: string, spec: object = {}, of: Partial<AdmissionRequest> = {}) => ask('MacNodeLease', 'CREATE', { object: made(name, { class: 'base', minimumDuration: '24h', release: false, ...spec }), ...of });
const causes = (r: AdmissionResponse) => r.status?.details?.causes.map((c) => [c.reason, c.field]) ?? [];
const bound = (): MacNodeLease => {
  const lease = rig.lease('ios');
  if (lease === null) throw new Error('no lease');
  return lease;
};
const changed = (spec: Partial<MacNodeLeaseSpec>) => ask('MacNodeLease', 'UPDATE', { oldObject: bound(), object: { ...bound(), spec: { ...bound().spec, ...spec } } });

describe('a new instance', () => {
  it('on a Bound lease of its tenant is allowed', async () => {
    expect(await newInstance('one')).toEqual({ uid: 'r1', allowed: true });
  });

  it('is refused as LeaseNotFound, LeaseNotBound and ShapeTooLarge, each with its field', async () => {
    expect(causes(await newInstance('one', { leaseName: 'none' }))).toEqual([['LeaseNotFound', 'spec.leaseName']]);
    expect(causes(await newInstance('one', { shape: { ...shape, cpu: 9, memory: '17Gi' } }))).toEqual([['ShapeTooLarge', 'spec.shape.cpu'], ['ShapeTooLarge', 'spec.shape.memory']]);
    await rig.createLease('waiting');
    await rig.untilLease('waiting', 'Pending');
    const refused = await newInstance('one', { leaseName: 'waiting' });
    expect(refused.status).toMatchObject({ code: 403, reason: 'Forbidden', message: expect.stringMatching(/^macrack: LeaseNotBound: /) as string });
  });

  it('counts the shapes of the lease together', async () => {
    await rig.createInstance('one', { shape: { ...shape, cpu: 5 } });
    expect(causes(await newInstance('two', { shape: { ...shape, cpu: 4 } }))).toEqual([['ShapeTooLarge', 'spec.shape.cpu']]);
  });

  it('is refused as the third, recorded on a denial and not on a dry run; a Failed one holds no slot', async () => {
    await rig.createInstance('one');
    await rig.createInstance('two');
    expect(causes(await newInstance('three', {}, { dryRun: true }))).toEqual([['ThirdInstance', 'spec.leaseName']]);
    expect(await rig.audit.rows({ type: AuditType.ThirdInstanceRejected })).toEqual([]);
    await newInstance('three');
    await newInstance('three');
    const rows = await rig.audit.rows({ type: AuditType.ThirdInstanceRejected });
    expect(rows.map((r) => [r.layer, r.tenant, r.payload['node'], r.actor])).toEqual([['webhook', TENANT, 'mac-c02a', 'alice']]);
    await rig.untilInstance('two', 'Running');
    await rig.plane.patch(Kinds.MacOSInstance, { namespace: TENANT, name: 'two' }, { status: { phase: 'Failed', reason: 'Crashed', slot: null } }, { subresource: 'status' });
    expect((await newInstance('three')).allowed).toBe(true);
  });

  it('of a namespace that was made again under the name is CrossTenant', async () => {
    rig.plane.erase(Kinds.Namespace, { name: TENANT });
    await rig.plane.create(Kinds.Namespace, { metadata: { name: TENANT } });
    expect(causes(await newInstance('one'))).toEqual([['CrossTenant', 'spec.leaseName']]);
  });
});

describe('a new lease', () => {
  it('is refused as FloorTooShort, and warned of a longer floor', async () => {
    expect(causes(await newLease('b', { minimumDuration: '1h' }))).toEqual([['FloorTooShort', 'spec.minimumDuration']]);
    expect((await newLease('b', { minimumDuration: '48h' })).warnings?.[0]).toMatch(/^macrack: A minimum duration of 48h bills/);
  });

  it('of a pinned serial that is leased or absent is SerialUnavailable, 409, in one text', async () => {
    const [own, absent] = [await newLease('b', { serial: 'C02A' }), await newLease('b', { serial: 'C02Z' })];
    expect(own.status).toMatchObject({ code: 409, reason: 'Conflict' });
    expect(own.status?.message.replace('c02a', 'X')).toBe(absent.status?.message.replace('c02z', 'X'));
    expect(await rig.audit.rows({ type: AuditType.CrossTenantRejected })).toEqual([]);
    await newLease('b', { serial: 'c02a' }, { namespace: 'tenant-b' });
    expect((await rig.audit.rows({ type: AuditType.CrossTenantRejected }))[0]?.payload).toMatchObject({ sourceNamespace: 'tenant-b', targetNode: 'mac-c02a', targetLeaseTenant: TENANT });
  });

  it('under the name of a Held one is NameHeld, with the instant', async () => {
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { release: true } });
    await rig.untilLease('ios', 'Held');
    const refused = await newLease('ios');
    expect(refused.status).toMatchObject({ code: 409, message: expect.stringMatching(/2026-11-30T10:00:00Z/) as string });
    expect(causes(refused)).toEqual([['NameHeld', 'metadata.name']]);
  });

  it('shows every refusal, not the first', async () => {
    expect(causes(await newLease('b', { minimumDuration: '1h', serial: 'none' }))).toEqual([['FloorTooShort', 'spec.minimumDuration'], ['SerialUnavailable', 'spec.serial']]);
  });
});

describe('a changed lease', () => {
  it('is refused inside the floor as LeaseImmutable and FloorTooShort, and free to change after it', async () => {
    expect(causes(await changed({ class: 'pro', serial: 'x' }))).toEqual([['LeaseImmutable', 'spec.class'], ['LeaseImmutable', 'spec.serial']]);
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { minimumDuration: '30h' } });
    expect(causes(await changed({ minimumDuration: '24h' }))).toEqual([['FloorTooShort', 'spec.minimumDuration']]);
    await rig.pass(31 * HOUR_MS);
    expect((await changed({ class: 'pro' })).allowed).toBe(true);
  });

  it('asks nothing when the spec stays', async () => {
    rig.plane.down = 'Unreachable';
    expect((await changed({})).allowed).toBe(true);
    rig.plane.down = undefined;
  });

  it('warns of a release inside the floor', async () => {
    expect((await changed({ release: true })).warnings).toEqual(['macrack: lease tenant-a/ios is Held until 2026-11-30T10:00:00Z and billed until then; it will be released by itself']);
  });
});

describe('a deletion', () => {
  it('of a bound lease is allowed with a warning, also the second time, and who asked first is kept, not on a dry run', async () => {
    const remove = (username: string, dryRun = false) => ask('MacNodeLease', 'DELETE', { oldObject: bound(), userInfo: { username }, dryRun });
    expect((await remove('dry', true)).warnings).toHaveLength(1);
    expect(await rig.audit.deletionActor(bound().metadata.uid)).toBeUndefined();
    for (const who of ['alice', 'bob']) expect(await remove(who)).toMatchObject({ allowed: true, warnings: [expect.stringMatching(/Held until 2026-11-30T10:00:00Z/)] });
    expect(await rig.audit.deletionActor(bound().metadata.uid)).toBe('alice');
  });

  it('of a claim is refused before its floor with the remaining time, and allowed at it', async () => {
    const remove = async () => ask('MacNodeBinding', 'DELETE', { oldObject: await rig.plane.get(Kinds.MacNodeBinding, { name: 'c02a' }) });
    await rig.pass(HOUR_MS);
    expect((await remove()).status).toMatchObject({ code: 403, message: expect.stringMatching(/^macrack: EarlyRelease: .*2026-11-30T10:00:00Z, in 23h 00m/) as string });
    await rig.pass(23 * HOUR_MS);
    expect((await remove()).allowed).toBe(true);
  });
});

describe('a pod', () => {
  const pod = (namespace: string) => ask('Pod', 'CREATE', { namespace, object: made('p', { containers: [], nodeSelector: { 'node-restriction.kubernetes.io/macrack-serial': 'c02a' } }) });

  it("on another tenant's chassis is CrossTenant, recorded with both tenants, of which the refused reads one", async () => {
    const refused = await pod('tenant-b');
    expect(causes(refused)).toEqual([['CrossTenant', 'spec.nodeSelector']]);
    expect(refused.status?.message).not.toContain(TENANT);
    expect((await rig.audit.rows({ type: AuditType.CrossTenantRejected }))[0]).toMatchObject({ layer: 'webhook', payload: { sourceNamespace: 'tenant-b', targetNode: 'mac-c02a', targetLeaseTenant: TENANT } });
  });

  it('on its own chassis, or on none, is allowed', async () => {
    expect((await pod(TENANT)).allowed).toBe(true);
    expect((await ask('Pod', 'CREATE', { object: made('p', { containers: [] }) })).allowed).toBe(true);
  });
});

describe('what cannot be looked up', () => {
  it('is refused as NotChecked, with 500 so that the client tries again', async () => {
    rig.plane.down = 'Unreachable';
    const refused = await newInstance('one');
    rig.plane.down = undefined;
    expect(refused).toMatchObject({ allowed: false, status: { code: 500, message: expect.stringMatching(/^macrack: NotChecked: /) as string, details: { causes: [{ reason: 'NotChecked' }] } } });
  });
});
