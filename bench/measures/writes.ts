import { AuditType } from '../../operator';
import type { RequestRecord } from '../../devplane/server/observer';
import { until } from '../../sdk/client/until';
import { createInstance, createLease, untilBound, untilRunning } from '../life';
import type { Row, Rows } from '../row';
import { TENANT, type World } from '../world';

// Made by the minute or by the heartbeat, whether something is leased or not; the class counts the fleet, for all leases of a moment at once.
const BACKGROUND = new Set(['clocks.macrack.io', 'leases.coordination.k8s.io', 'macclasses.macrack.io/status', 'events', 'events.events.k8s.io']);

const QUIET_MS = 1_000;
const LOOK_MS = 100;

const ROLES: readonly (readonly [RegExp, string])[] = [[/^macrack-operator$/, 'operator'], [/^system:node:/, 'agent'], [/^system:kube-scheduler$/, 'scheduler'], [/^tenant-/, 'tenant']];
const roleOf = (user: string): string => ROLES.find(([pattern]) => pattern.test(user))?.[1] ?? user;

function counted(records: readonly RequestRecord[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { user, verb, resource, write, isRefused } of records) {
    if (write === undefined || BACKGROUND.has(resource)) continue;
    const role = roleOf(user);
    for (const key of isRefused ? [`${role}, refused: ${verb} ${resource}`] : [`${role}: all`, `${role}: ${verb} ${resource}`]) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function rowsOf({ name: plane }: World, event: 'bind' | 'start', times: number, records: readonly RequestRecord[]): Row[] {
  const counts = [...counted(records)].sort(([a], [b]) => (a < b ? -1 : 1));
  return counts.map(([key, count]) => ({ bench: 'writes', plane, what: `per ${event}, ${key}`, value: count / times, unit: 'writes' }));
}

/** Everything that was written, with what follows when the one who waits has what he waits for: it ends when a while has passed without a counted write. */
async function during({ requests }: World, act: () => Promise<void>): Promise<readonly RequestRecord[]> {
  const mark = requests.mark();
  await act();
  const writes = (records: readonly RequestRecord[]): number => [...counted(records).values()].reduce((sum, count) => sum + count, 0);
  for (let before = -1, last = performance.now(); ; ) {
    const records = await requests.since(mark);
    if (writes(records) !== before) last = performance.now();
    if (performance.now() - last > QUIET_MS) return records;
    before = writes(records);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** What one bind and one start write, one after the other, so that nothing is counted for two. Leaves a lease with one instance for each. */
export async function measureWrites(world: World, times: number): Promise<Rows> {
  const names = Array.from({ length: times }, (_, index) => `writes-${index + 1}`);
  const { audit } = world.operator();
  const outcomes = async (): Promise<number> => (await audit.rows({ type: AuditType.LeaseBound })).filter(({ tenant, stage }) => tenant === TENANT && stage === 'outcome').length;
  const before = (await audit.rows()).length;
  const binds = await during(world, async () => {
    for (const [index, name] of names.entries()) {
      await createLease(world, name);
      await untilBound(world, [name]);
      await until('the bind is in the record', async () => ((await outcomes()) > index ? true : undefined));
    }
  });
  const recorded = (await audit.rows()).length - before;
  const starts = await during(world, async () => {
    for (const name of names) {
      await createInstance(world, name, name);
      await untilRunning(world, [name]);
    }
  });
  const rows: Row = { bench: 'writes', plane: world.name, what: 'per bind, rows of the audit record', value: recorded / times, unit: 'rows' };
  return [...rowsOf(world, 'bind', times, binds), rows, ...rowsOf(world, 'start', times, starts)];
}
