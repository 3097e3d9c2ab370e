import { join } from 'node:path';
import { Agent, request } from 'undici';
import { deployDirectory } from '../../devplane/package-files';
import { startPlane } from '../../devplane/plane';
import type { KeyPair } from '../../devplane/server/certificates';
import { ADMIN, groupsOf } from '../../realplane/identities';
import { startRealPlane } from '../../realplane/real-plane';
import { auditedRequests, observedRequests, type RequestLog } from '../../realplane/request-log';
import { Kinds } from '../../sdk/api/kinds';
import type { Kind, KubeObject } from '../../sdk/api/object';
import { connect } from '../../sdk/client';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { collectionPath } from '../../sdk/client/resource-path';
import { lease } from '../life';
import { plainKind, plainName, plainObject } from '../plain';
import { median, type Row, type Rows, timed } from '../row';
import { type PlaneName, TENANT } from '../world';

const WRITERS = 16;
const PATIENCE_MS = 120_000;
// As an operator leaves a lease that waits.
const WAITING = { status: { phase: 'Pending', reason: 'NoChassis', message: 'every Mac of class base is leased; the next floor ends within the hour', slots: { total: 2, used: 0, leaked: 0 } } };

/** Nothing but a store and our types: no operator, no webhook, no policy. */
interface Bare {
  readonly url: string;
  readonly ca: string;
  readonly identity: KeyPair;
  readonly requests: (admin: ControlPlane) => RequestLog;
  stop(): Promise<void>;
}

async function openBare(name: PlaneName): Promise<Bare> {
  if (name === 'real') {
    const plane = await startRealPlane({ policies: false, install: ['crds'] });
    return { url: plane.url, ca: plane.ca, identity: await plane.identify(ADMIN), requests: (admin) => auditedRequests(plane.apiAuditFile, admin), stop: () => plane.stop() };
  }
  const plane = await startPlane({ crds: join(deployDirectory(), 'crds'), log: () => undefined });
  return { url: plane.url, ca: plane.ca, identity: await plane.identify(ADMIN, groupsOf(ADMIN)), requests: () => observedRequests(plane.requests), stop: () => plane.stop() };
}

async function fill(count: number, make: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const writer = async (): Promise<void> => {
    while (next < count) await make(next++);
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

async function fillLeases(admin: ControlPlane, count: number): Promise<void> {
  await fill(count, async (index) => {
    const object = lease(`lease-${index}`);
    await admin.create(Kinds.MacNodeLease, object);
    await admin.patch(Kinds.MacNodeLease, object.metadata, WAITING, { subresource: 'status' });
  });
}

/** Size of the whole answer. */
async function bytesOf({ url, ca, identity }: Bare, kind: Kind): Promise<number> {
  const dispatcher = new Agent({ connect: { ca, cert: identity.certificate, key: identity.key } });
  try {
    const { statusCode, body } = await request(`${url}${collectionPath(kind, TENANT, 'GET')}`, { dispatcher });
    if (statusCode !== 200) throw new Error(`the list of ${kind.plural} was answered with ${statusCode}`);
    return (await body.arrayBuffer()).byteLength;
  } finally {
    await dispatcher.close();
  }
}

async function interleaved(admin: ControlPlane, kinds: readonly [Kind, Kind], times: number): Promise<readonly [number, number]> {
  const taken: readonly [number[], number[]] = [[], []];
  for (let round = 0; round < times; round += 1) {
    for (const which of [0, 1] as const) taken[which].push(await timed(() => admin.list(kinds[which], { namespace: TENANT })));
  }
  return [median(taken[0]), median(taken[1])];
}

async function measure(name: PlaneName, plane: Bare, admin: ControlPlane, count: number, times: number): Promise<Rows> {
  const leases: Kind<KubeObject> = Kinds.MacNodeLease;
  const plain = plainKind(name);
  await admin.create(Kinds.Namespace, { metadata: { name: TENANT } });
  await fillLeases(admin, count);
  const bytes = await bytesOf(plane, leases);
  // As large as a lease, so that what is compared is the type and not the size.
  const empty = await admin.create(plain, plainObject(TENANT, 'plain-first'));
  await admin.remove(plain, empty.metadata);
  const payload = 'x'.repeat(Math.max(0, Math.round(bytes / count) - JSON.stringify(empty).length));
  await fill(count, async (index) => void (await admin.create(plain, plainObject(TENANT, `plain-${index}`, payload))));
  const log = plane.requests(admin);
  const mark = log.mark();
  const { items } = await admin.list(Kinds.MacNodeLease, { namespace: TENANT });
  const requests = (await log.since(mark)).filter(({ resource, verb }) => verb === 'list' && resource.startsWith(leases.plural)).length;
  const plainBytes = await bytesOf(plane, plain);
  const [leaseMs, plainMs] = await interleaved(admin, [leases, plain], times);
  const row = (what: string, value: number, unit: Row['unit']): Row => ({ bench: 'list', plane: name, what, value, unit });
  return [
    row('leases in the list', items.length, 'objects'), row('requests of the list', requests, 'requests'),
    row('bytes a lease', Math.round(bytes / count), 'bytes'), row(`bytes a ${plainName(name)}`, Math.round(plainBytes / count), 'bytes'),
    row(`list of leases to a list of as many plain objects of that size (medians of ${times})`, leaseMs / plainMs, 'ratio'),
  ];
}

/** The list that an operator starts with, on a plane of its own that holds as many leases, and plain objects beside them. */
export async function measureList(name: PlaneName, count: number, times: number): Promise<Rows> {
  const plane = await openBare(name);
  try {
    const { url, ca, identity } = plane;
    const admin = await connect({ host: url, clusterCaCertificate: ca, clientCertificate: identity.certificate, clientKey: identity.key, timeoutMs: PATIENCE_MS, env: {} });
    return await measure(name, plane, admin, count, times).finally(() => admin.close());
  } finally {
    await plane.stop();
  }
}
