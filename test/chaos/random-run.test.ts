import { describeRealPlane } from '../harness/real-plane-suite';
import type { GroundName } from '../harness/fault-world/ground';
import { play } from './play';
import { history, printed } from './steps';

/** Another one: `MACRACK_CHAOS_SEED=7`. Many: `npm run chaos`. */
const SEED = Number(process.env.MACRACK_CHAOS_SEED ?? 4);

async function playsWhole(ground: GroundName, seed: number, length: number, macs: number): Promise<void> {
  const steps = history(seed, length, ground);
  await play({ ground, macs }, steps).catch((error: unknown) => {
    throw new Error(`seed ${seed} on plane ${ground}: ${error instanceof Error ? error.message : String(error)}\n${printed(steps)}`, { cause: error });
  });
}

describe('whatever tenants do and whoever dies, on the development plane', () => {
  it.each([SEED, SEED + 1])('two machines, one tenant, the floor, every lease, every Mac and the record stand: seed %i', (seed) => playsWhole('dev', seed, 60, 3));
});

describeRealPlane('whatever tenants do and whoever dies, on Kubernetes 1.37', () => {
  it(`the same stands: seed ${SEED}`, () => playsWhole('real', SEED, 40, 3));
});
