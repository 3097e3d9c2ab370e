import { parseInstant } from '../../../sdk/rules/instant';
import { AuditType, type AuditEvent, type AuditLog } from '../../audit/audit-log';
import type { AdmissionRequest, AdmissionResponse } from '../../admission/review';
import { meteredHandlers } from '../metered-handlers';
import { OperatorMetrics, type Readings } from './metrics';
import { countingAudit } from './refusals';

const calm: Readings = {
  classes: undefined, waiting: 0, leads: false, tamperProof: undefined, clockSkewSeconds: 0, clockAgeSeconds: undefined, auditWritable: true,
  certificateExpiry: undefined, caExpiry: undefined, clientCertificateExpiry: undefined, checks: [],
};
const counts = { class: 'base', total: 5, leased: 3, held: 1, unleased: 2, pending: 4, overLimit: 0 };

async function series(metrics: OperatorMetrics): Promise<Record<string, number>> {
  const lines = (await metrics.text()).text.split('\n').filter((line) => line.startsWith('macrack_'));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}

it('the leader shows each class: leased chassis with the Held ones in them, unleased, pending', async () => {
  const shown = await series(new OperatorMetrics(() => ({ ...calm, leads: true, classes: [counts], waiting: 7, tamperProof: false })));
  expect(shown).toMatchObject({
    'macrack_leased_chassis{class="base"}': 3, 'macrack_held_chassis{class="base"}': 1, 'macrack_unleased_chassis{class="base"}': 2, 'macrack_chassis{class="base"}': 5,
    'macrack_pending_leases{class="base"}': 4, 'macrack_chassis_over_limit{class="base"}': 0, macrack_queue_depth: 7, macrack_leader: 1, macrack_tamper_proof: 0, macrack_audit_writable: 1,
  });
});

it('a replica that does not lead shows no chassis, so that a sum over replicas is right', async () => {
  const shown = Object.keys(await series(new OperatorMetrics(() => calm)));
  expect(shown.filter((name) => /chassis|pending/.test(name))).toEqual([]);
  expect(shown).toContain('macrack_leader');
});

it('what is not known is left out, also when it was known before', async () => {
  let readings: Readings = { ...calm, clockAgeSeconds: 12, classes: [counts] };
  const metrics = new OperatorMetrics(() => readings);
  expect(await series(metrics)).toMatchObject({ macrack_clock_age_seconds: 12 });
  readings = calm;
  const names = Object.keys(await series(metrics));
  expect(names.filter((name) => /clock_age|tamper_proof|expiry|leased/.test(name))).toEqual([]);
});

describe('refusals', () => {
  const request = (dryRun: boolean): AdmissionRequest => ({ uid: 'u', kind: { group: 'macrack.io', kind: 'MacOSInstance' }, operation: 'CREATE', userInfo: { username: 'tenant-a' }, dryRun });
  const denial: AdmissionResponse = { uid: 'u', allowed: false, status: { status: 'Failure', code: 403, reason: 'Forbidden', message: 'm', details: { causes: [{ reason: 'ThirdInstance', field: 'f', message: 'm' }] } } };

  it('of the webhooks are counted by reason, dry runs are not, and every answer is timed', async () => {
    const metrics = new OperatorMetrics(() => calm);
    const handlers = meteredHandlers({ mutate: () => ({ uid: 'u', allowed: true }), validate: () => Promise.resolve(denial) }, metrics);
    handlers.mutate(request(false));
    for (const dryRun of [false, true]) await handlers.validate(request(dryRun));
    expect(await series(metrics)).toMatchObject({
      'macrack_refusals_total{reason="ThirdInstance",layer="webhook"}': 1,
      'macrack_webhook_seconds_count{webhook="mutate",allowed="true"}': 1, 'macrack_webhook_seconds_count{webhook="validate",allowed="false"}': 2,
    });
  });

  it('of the other layers are counted when they are first stored, and those of the webhooks not again', async () => {
    const metrics = new OperatorMetrics(() => calm);
    const stored = new Set<string>();
    const append = ({ dedupe }: AuditEvent) => Promise.resolve(stored.size < stored.add(dedupe).size);
    const audit = countingAudit({ append, appendJournal: (_serial: string, _seq: number, event: AuditEvent) => append(event) } as unknown as AuditLog, metrics.refused);
    const event = (type: AuditType, layer: AuditEvent['layer'], dedupe: string, reason?: string): AuditEvent =>
      ({ type, dedupe, at: parseInstant('2026-11-29T10:00:00Z'), tenant: 'tenant-a', payload: { reason }, ...(layer === undefined ? {} : { layer }) });
    for (let again = 0; again < 2; again += 1) {
      await audit.append(event(AuditType.ThirdInstanceRejected, 'operator', '2'));
      await audit.append(event(AuditType.ThirdInstanceRejected, 'webhook', '3'));
      await audit.appendJournal('c02x', 1, event(AuditType.StartRefused, 'kernel', '4', 'KernelLimit'));
      await audit.append(event(AuditType.LeaseBound, undefined, '5'));
    }
    const shown = await series(metrics);
    expect(shown).toMatchObject({ 'macrack_refusals_total{reason="ThirdInstance",layer="operator"}': 1, 'macrack_refusals_total{reason="KernelLimit",layer="kernel"}': 1 });
    expect(Object.keys(shown).filter((name) => name.startsWith('macrack_refusals'))).toHaveLength(2);
  });
});

it('no label holds anything but class, reason, layer, queue, webhook, allowed, check and le', async () => {
  const metrics = new OperatorMetrics(() => ({ ...calm, classes: [counts], checks: [{ name: 'clock', ok: true }] }));
  metrics.refused('ThirdInstance', 'webhook');
  metrics.worked('lease', 0.1, true);
  metrics.answered('validate', true, 0.1);
  const labels = Object.keys(await series(metrics)).flatMap((name) => [...name.matchAll(/[{,]([a-z_]+)="/g)].map(([, label]) => label));
  expect([...new Set(labels)].sort()).toEqual(['allowed', 'check', 'class', 'layer', 'le', 'queue', 'reason', 'webhook']);
});
