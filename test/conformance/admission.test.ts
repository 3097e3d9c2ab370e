import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { mutate } from '../../operator/admission/mutate';
import { serveAdmission, type AdmissionServer } from '../../operator/admission/server';
import { validate } from '../../operator/admission/validate';
import type { AuditLog } from '../../operator/audit/audit-log';
import { openSqliteAuditLog } from '../../operator/audit/sqlite-audit-log';
import { Annotation, Kinds, Label, VM_RESOURCE, type MacNodeLeaseStatus } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client';
import { floorOf } from '../../sdk/rules/duration';
import { parseInstant } from '../../sdk/rules/instant';
import { readManifests } from '../../devplane/manifests';
import { ADMIN, DEPLOY, LayerPlane, OPERATOR, OTHER_TENANT, TENANT } from './layer-plane';
import { boundStatus, claimOf, IMAGE, instanceNamed, leaseNamed, macNodeNamed } from './objects';
import { answerAsData } from './refusal';
import { describeLayer, notAsked, overAllWays, type Answer, type AskOf } from './table';

const T0 = parseInstant('2026-11-29T10:00:00Z');

/** The CRDs with their fields but without their rules: else the schema would answer first, and the webhook never be asked. */
function crdsWithoutRules(directory: string): string {
  const bare = join(directory, 'crds');
  mkdirSync(bare);
  const strip = (key: string, value: unknown): unknown => (key === 'x-kubernetes-validations' ? undefined : value);
  for (const name of readdirSync(join(DEPLOY, 'crds'))) writeFileSync(join(bare, name), stringify(JSON.parse(JSON.stringify(parse(readFileSync(join(DEPLOY, 'crds', name), 'utf8')), strip))));
  return bare;
}

/** The operator's webhooks alone: no policy, no rule in a schema, no reconciler. Leases and claims are written as the operator would have. */
let layer: LayerPlane;
let server: AdmissionServer;
let audit: AuditLog;
let tenant: ControlPlane;
let operator: ControlPlane;
let admin: ControlPlane;
let namespaceUID: string;
let count = 0;
const directory = mkdtempSync(join(tmpdir(), 'macrack-admission-'));

beforeAll(async () => {
  layer = await LayerPlane.start({ crds: crdsWithoutRules(directory), webhooks: join(DEPLOY, 'webhooks') });
  layer.standStill(T0);
  [tenant, operator, admin] = [await layer.as(TENANT), await layer.as(OPERATOR), await layer.as(ADMIN)];
  audit = await openSqliteAuditLog(join(directory, 'audit.sqlite'));
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  server = await serveAdmission({ mutate, validate: (request) => validate({ plane: operator, audit, log: silent }, request) }, { host: '127.0.0.1', port: 0 });
  layer.plane.redirectWebhooks(server.origin, server.caPem);
  await layer.plane.load([...readManifests(join(DEPLOY, 'classes')), macNodeNamed('c02base1')]);
  namespaceUID = (await admin.get(Kinds.Namespace, { name: TENANT })).metadata.uid;
});
afterAll(async () => {
  await layer.stop();
  await server.stop();
  await audit.close();
  rmSync(directory, { recursive: true });
});

interface Chassis { readonly lease: string; readonly serial: string }

/** A lease with its claim, on a Mac of its own. */
async function leased(spec: { minimumDuration?: string; release?: boolean } = {}, options: { phase?: MacNodeLeaseStatus['phase']; tenantUID?: string } = {}): Promise<Chassis> {
  const [lease, serial] = [`l-${count += 1}`, `c02m${count}`];
  const { metadata } = await tenant.create(Kinds.MacNodeLease, leaseNamed(TENANT, lease, spec));
  const ref = { namespace: TENANT, lease, leaseUID: metadata.uid, namespaceUID: options.tenantUID ?? namespaceUID, ...(spec.minimumDuration === undefined ? {} : { minimumDuration: spec.minimumDuration }) };
  await operator.create(Kinds.MacNodeBinding, claimOf(serial, ref));
  const status = boundStatus(serial, T0, floorOf(spec.minimumDuration), options.phase);
  await operator.patch(Kinds.MacNodeLease, { namespace: TENANT, name: lease }, { status }, { subresource: 'status' });
  return { lease, serial };
}

const run = (name: string, lease: string, shape?: object): Promise<Answer> => answerAsData(tenant.create(Kinds.MacOSInstance, instanceNamed(TENANT, `${lease}-${name}`, lease, shape)));

async function start({ existing, starting }: AskOf<'start'>): Promise<Answer> {
  const { lease } = await leased();
  for (const { name, phase } of existing) {
    expect(await run(name, lease)).toEqual([]);
    await operator.patch(Kinds.MacOSInstance, { namespace: TENANT, name: `${lease}-${name}` }, { status: { phase } }, { subresource: 'status' });
  }
  const answers = await Promise.all(starting.map((name) => run(name, lease)));
  return answers.flat();
}

function podOn(serial: string, namespace: string) {
  return answerAsData(admin.create(Kinds.Pod, { metadata: { namespace, name: `p-${count += 1}` }, spec: { nodeSelector: { [Label.NodeSerial]: serial }, containers: [{ name: 'vm', image: IMAGE }] } }));
}

async function place({ lease }: AskOf<'place'>): Promise<Answer> {
  switch (lease) {
    case 'absent': return run('a', 'none');
    case 'held': return run('a', (await leased({ release: true }, { phase: 'Held' })).lease);
    case 'foreign': return podOn((await leased()).serial, OTHER_TENANT);
    case 'own':
    case 'namespace-recreated': {
      const chassis = await leased({}, lease === 'own' ? {} : { tenantUID: 'former' });
      return overAllWays([await run('a', chassis.lease), await podOn(chassis.serial, TENANT)]);
    }
  }
}

async function shapes(fits: boolean): Promise<Answer> {
  const { lease } = await leased();
  expect(await run('a', lease, { cpu: 4, memory: '8Gi', disk: '128Gi' })).toEqual([]);
  return run('b', lease, { cpu: 4, memory: fits ? '8192Mi' : '9Gi', disk: '128Gi' });
}

async function newLease({ serial, name, adopt, minimumDuration }: AskOf<'new-lease'>): Promise<Answer> {
  if (name === 'held') {
    const ref = { namespace: TENANT, name: (await leased({ release: true }, { phase: 'Held' })).lease };
    return adopt === true ? answerAsData(tenant.patch(Kinds.MacNodeLease, ref, { spec: { release: false } })) : answerAsData(tenant.create(Kinds.MacNodeLease, leaseNamed(TENANT, ref.name)));
  }
  const pinned = serial === undefined ? undefined : serial === 'leased' ? (await leased()).serial : `c02new${count += 1}`;
  if (pinned !== undefined && serial !== 'absent') await admin.create(Kinds.MacNode, macNodeNamed(pinned));
  return answerAsData(tenant.create(Kinds.MacNodeLease, leaseNamed(TENANT, `l-${count += 1}`, { ...(pinned === undefined ? {} : { serial: pinned }), ...(minimumDuration === undefined ? {} : { minimumDuration }) })));
}

async function later(afterMs: number, write: () => Promise<unknown>): Promise<Answer> {
  layer.standStill(T0 + afterMs);
  try {
    return await answerAsData(write());
  } finally {
    layer.standStill(T0);
  }
}

async function release({ afterMs, minimumDuration }: AskOf<'release'>): Promise<Answer> {
  const { serial } = await leased(minimumDuration === undefined ? {} : { minimumDuration });
  return later(afterMs, () => operator.remove(Kinds.MacNodeBinding, { name: serial }));
}

async function change({ afterMs, field, from, to, phase }: AskOf<'change'>): Promise<Answer> {
  const { lease } = await leased({ [field]: from }, phase === undefined ? {} : { phase });
  return later(afterMs, () => tenant.patch(Kinds.MacNodeLease, { namespace: TENANT, name: lease }, { spec: { [field]: to } }));
}

describeLayer('admission', (row) => {
  const { ask } = row;
  switch (ask.kind) {
    case 'start': return start(ask);
    case 'place': return place(ask);
    case 'shape': return shapes(ask.fits);
    case 'new-lease': return newLease(ask);
    case 'release': return release(ask);
    case 'change': return change(ask);
    default: return notAsked(row);
  }
});

it('gives a pod that asks for a machine the tolerations of its own namespace, whatever it asked for', async () => {
  const wild = [{ key: 'macrack.io/tenant', operator: 'Exists' }];
  const amounts = { [VM_RESOURCE]: '1' };
  const { spec } = await admin.create(Kinds.Pod, { metadata: { namespace: OTHER_TENANT, name: 'wild' }, spec: { tolerations: wild, containers: [{ name: 'vm', image: IMAGE, resources: { requests: amounts, limits: amounts } }] } });
  expect(spec.tolerations?.filter(({ key }) => key?.startsWith('macrack.io/'))).toEqual([{ key: 'macrack.io/tenant', operator: 'Equal', value: OTHER_TENANT, effect: 'NoSchedule' }]);
});

it('writes down who asked, over what the tenant wrote', async () => {
  const annotations = { [Annotation.RequestedBy]: 'somebody-else' };
  const { metadata } = await tenant.create(Kinds.MacNodeLease, { metadata: { namespace: TENANT, name: 'stamped', annotations }, spec: { class: 'base' } });
  expect(metadata.annotations?.[Annotation.RequestedBy]).toBe(TENANT);
});
