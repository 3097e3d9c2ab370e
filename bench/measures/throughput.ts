import { createInstance, createLease, untilBound, untilRunning } from '../life';
import { plainKind, plainObject } from '../plain';
import { type Row, type Rows, timed } from '../row';
import { TENANT, type World } from '../world';

const RAW_WRITES = 50;
let rounds = 0;

/** Single writes a second, one after the other, of objects that nobody of ours looks at. */
async function rawRate({ admin, name }: World): Promise<number> {
  const round = ++rounds;
  const ms = await timed(async () => {
    for (let index = 0; index < RAW_WRITES; index += 1) await admin.create(plainKind(name), plainObject(TENANT, `raw-${round}-${index}`));
  });
  return RAW_WRITES / (ms / 1000);
}

/** All are asked for at once; the time ends when the last is there. */
async function rateOf(count: number, act: () => Promise<unknown>): Promise<number> {
  return count / ((await timed(act)) / 1000);
}

/** Binds and starts a second beside raw writes before, between and after them. Takes as many free Macs, and two instances on each. */
export async function measureThroughput(world: World, macs: number): Promise<Rows> {
  const leases = Array.from({ length: macs }, (_, index) => `many-${index + 1}`);
  const instances = leases.flatMap((name) => [[`${name}-a`, name], [`${name}-b`, name]] as const);
  const raw = [await rawRate(world)];
  const binds = await rateOf(leases.length, () => Promise.all([untilBound(world, leases), ...leases.map((name) => createLease(world, name))]));
  raw.push(await rawRate(world));
  const starts = await rateOf(instances.length, () => Promise.all([untilRunning(world, instances.map(([name]) => name)), ...instances.map(([name, of]) => createInstance(world, name, of))]));
  raw.push(await rawRate(world));
  const mean = raw.reduce((sum, rate) => sum + rate, 0) / raw.length;
  const row = (what: string, value: number, unit: Row['unit']): Row => ({ bench: 'throughput', plane: world.name, what, value, unit });
  return [
    row('raw writes a second', mean, 'rate'), row(`binds a second, ${leases.length} at once`, binds, 'rate'), row(`starts a second, ${instances.length} at once`, starts, 'rate'),
    row('raw writes in the time of a bind', mean / binds, 'ratio'), row('raw writes in the time of a start', mean / starts, 'ratio'),
  ];
}
