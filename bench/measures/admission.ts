import { createInstance, createLease, untilBound } from '../life';
import { plainKind, plainName, plainObject } from '../plain';
import { median, type Row, type Rows, timed } from '../row';
import { TENANT, type World } from '../world';

const HOST = 'admission';
const dryRun = { dryRun: true };

/**
 * How long a create takes that our webhooks and policies judge, beside one that they do not see. Dry runs: they pass the whole admission and store
 * nothing, so that the operator has nothing to do meanwhile. Takes one free Mac.
 */
export async function measureAdmission(world: World, times: number): Promise<Rows> {
  const { admin, name: plane } = world;
  await createLease(world, HOST);
  await untilBound(world, [HOST]);
  const creates = {
    plain: () => admin.create(plainKind(plane), plainObject(TENANT, 'plain'), dryRun),
    lease: () => createLease(world, 'dry', dryRun),
    instance: () => createInstance(world, 'dry', HOST, dryRun),
  };
  const taken = { plain: [] as number[], lease: [] as number[], instance: [] as number[] };
  // The first of each opens connections and compiles rules; it is not counted. Interleaved, so that a busy moment hits all three.
  for (let round = 0; round <= times; round += 1) {
    for (const what of ['plain', 'lease', 'instance'] as const) {
      const ms = await timed(creates[what]);
      if (round > 0) taken[what].push(ms);
    }
  }
  const plain = median(taken.plain);
  const row = (what: string, value: number, unit: Row['unit']): Row => ({ bench: 'admission', plane, what, value, unit });
  return [
    row(`create of a ${plainName(plane)} (median of ${times})`, plain, 'ms'),
    row('create of a lease to that of a plain object', median(taken.lease) / plain, 'ratio'), row('create of an instance to that of a plain object', median(taken.instance) / plain, 'ratio'),
  ];
}
