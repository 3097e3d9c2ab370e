import type { GroundName } from '../harness/fault-world/ground';
import { play } from './play';
import { history, printed } from './steps';

/** Another one: `MACRACK_CHAOS_SEED=7`. Many: `npm run chaos`. */
export const SEED = Number(process.env.MACRACK_CHAOS_SEED ?? 4);

/** Plays the history of a seed with three Macs. @throws Error with the history and what did not hold */
export async function playsWhole(ground: GroundName, seed: number, length: number): Promise<void> {
  const steps = history(seed, length, ground);
  await play({ ground, macs: 3 }, steps).catch((error: unknown) => {
    throw new Error(`seed ${seed} on plane ${ground}: ${error instanceof Error ? error.message : String(error)}\n${printed(steps)}`, { cause: error });
  });
}
