import { measureAdmission } from './measures/admission';
import { measureList } from './measures/list';
import { measureMemory } from './measures/memory';
import { measureThroughput } from './measures/throughput';
import { measureWrites } from './measures/writes';
import type { Rows } from './row';
import { openWorld, type PlaneName, type World } from './world';

export const BENCHES = ['writes', 'throughput', 'admission', 'memory', 'list'] as const;
export type BenchName = (typeof BENCHES)[number];

/** How much is done. Counts and ratios hardly depend on it; times do. */
export interface Sizes {
  /** Binds and starts that are counted. */
  readonly binds: number;
  /** Macs that are leased at once. */
  readonly macs: number;
  /** Creates of each sort, and lists of each sort. */
  readonly times: number;
  /** Of the fleet whose operator is weighed; two instances on each. */
  readonly chassis: number;
  /** In the list. */
  readonly leases: number;
}

export const FULL: Sizes = { binds: 5, macs: 10, times: 50, chassis: 2_000, leases: 10_000 };

const LISTS = 9;

/** Those that share one plane, with what each takes of its Macs. */
const LIVE: readonly { readonly name: BenchName; readonly macs: (sizes: Sizes) => number; readonly measure: (world: World, sizes: Sizes) => Promise<Rows> }[] = [
  { name: 'writes', macs: ({ binds }) => binds, measure: (world, { binds }) => measureWrites(world, binds) },
  { name: 'throughput', macs: ({ macs }) => macs, measure: (world, { macs }) => measureThroughput(world, macs) },
  { name: 'admission', macs: () => 1, measure: (world, { times }) => measureAdmission(world, times) },
];

async function live(plane: PlaneName, only: ReadonlySet<BenchName>, sizes: Sizes): Promise<Rows> {
  const chosen = LIVE.filter(({ name }) => only.has(name));
  if (chosen.length === 0) return [];
  const world = await openWorld(plane, chosen.reduce((sum, { macs }) => sum + macs(sizes), 0));
  try {
    const rows: Rows[] = [];
    for (const { measure } of chosen) rows.push(await measure(world, sizes));
    return rows.flat();
  } finally {
    await world.stop();
  }
}

/** Measures one after the other, since they would disturb each other. */
export async function bench(plane: PlaneName, only: ReadonlySet<BenchName>, sizes: Sizes): Promise<Rows> {
  const rows = [...await live(plane, only, sizes)];
  if (only.has('memory')) rows.push(...await measureMemory(sizes.chassis));
  if (only.has('list')) rows.push(...await measureList(plane, sizes.leases, Math.min(sizes.times, LISTS)));
  return rows;
}
