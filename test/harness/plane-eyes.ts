import { until } from '../../sdk/client/until';
import type { AuditRow } from '../../operator';
import type { RequestRecord } from '../../devplane/server/observer';
import { Kinds, type MacNodeLease, type MacOSInstance } from '../../sdk/api/kinds';
import type { PlaneOfSuite, TestTenant } from './plane-suite';

/** What is looked at: the plane of a suite, whichever tool drives it. */
export type PlaneInSight = Pick<PlaneOfSuite, 'admin' | 'requests' | 'development'>;

/** What a run asked of the plane. */
export interface Asked<R> {
  readonly result: R;
  readonly requests: readonly RequestRecord[];
  /** Those that may have changed something; dry runs are none. */
  readonly writes: readonly RequestRecord[];
}

/** Runs something and tells what one user asked of the plane meanwhile. */
export async function asking<R>({ requests: log }: PlaneInSight, user: string, act: () => Promise<R>): Promise<Asked<R>> {
  const from = log.mark();
  const result = await act();
  const requests = (await log.since(from)).filter((record) => record.user === user);
  return { result, requests, writes: requests.filter(({ write }) => write !== undefined) };
}

/** A lease as the administrator sees it. Throws when there is none. */
export function leaseOnPlane({ admin }: PlaneInSight, { namespace }: TestTenant, name: string): Promise<MacNodeLease> {
  return admin.get(Kinds.MacNodeLease, { namespace, name });
}

/** Leases of the tenant that exist, by name, with their phase. */
export async function phasesOfLeases({ admin }: PlaneInSight, { namespace }: TestTenant): Promise<Record<string, string>> {
  const { items } = await admin.list(Kinds.MacNodeLease, { namespace });
  return Object.fromEntries(items.map((l) => [l.metadata.name, l.status?.phase ?? 'none']));
}

/** Instances of the tenant that exist, by name. */
export async function instancesOnPlane({ admin }: PlaneInSight, { namespace }: TestTenant): Promise<Record<string, MacOSInstance>> {
  const { items } = await admin.list(Kinds.MacOSInstance, { namespace });
  return Object.fromEntries(items.map((i) => [i.metadata.name, i]));
}

export async function phasesOfInstances(suite: PlaneInSight, tenant: TestTenant): Promise<Record<string, string>> {
  const instances = await instancesOnPlane(suite, tenant);
  return Object.fromEntries(Object.entries(instances).map(([name, i]) => [name, i.status?.phase ?? 'none']));
}

/** Waits until an instance has the phase. */
export function untilInstance(suite: PlaneInSight, tenant: TestTenant, name: string, phase: string): Promise<MacOSInstance> {
  return until(`instance ${name} is ${phase}`, async () => {
    const instance = (await instancesOnPlane(suite, tenant))[name];
    return instance?.status?.phase === phase ? instance : undefined;
  });
}

/** Claims that were made for the tenant and stand. */
export async function claimsOf({ admin }: PlaneInSight, { namespace }: TestTenant): Promise<string[]> {
  const { items } = await admin.list(Kinds.MacNodeBinding);
  return items.filter(({ spec }) => spec.tenant === namespace).map(({ metadata }) => metadata.name);
}

/** Records of the releases of one lease or Mac. Waits for the first: it is written after the lease shows Released. */
export function recordsOfRelease({ development }: PlaneInSight, of: { readonly leaseUID?: string | undefined; readonly serial?: string | undefined }): Promise<readonly AuditRow[]> {
  return until('the release is recorded', async () => {
    const rows = await development.operator().audit.rows({ type: 'Lease released' });
    const found = rows.filter(({ leaseUID, serial, stage }) => stage === 'outcome' && (leaseUID === of.leaseUID || serial === of.serial));
    return found.length > 0 ? found : undefined;
  });
}
