import type { Json, JsonObject } from '../../devplane/json';
import { isEqual } from '../../devplane/json';
import { ConditionTimeout, until } from '../../sdk/client/until';
import { knownDifference } from './differences';
import type { Operation, Sequence } from './operations';
import { outcomeOf, stateOf } from './outcome';
import type { Both } from './planes';
import { Player } from './player';

export interface Difference {
  readonly sequence: Sequence;
  readonly real: Json;
  readonly development: Json;
}

/** Controllers work by themselves: states compare when both have come to rest. */
async function settled(players: readonly Player[]): Promise<Json[]> {
  let states: Json[] = [];
  await until('both planes hold the same', async () => {
    states = await Promise.all(players.map(async (player) => stateOf(player, await player.state())));
    return isEqual(states[0], states[1]) || undefined;
  }, 10).catch((error: unknown) => {
    if (!(error instanceof ConditionTimeout)) throw error;
  });
  return states;
}

/** What both answer to an operation. */
async function answers(players: readonly Player[], operation: Operation): Promise<[JsonObject, JsonObject]> {
  return await Promise.all(players.map(async (player) => outcomeOf(player, await player.play(operation)))) as [JsonObject, JsonObject];
}

/**
 * Replays a sequence on both planes and compares each answer, and what is there at the end. A known difference ends the comparison.
 * @param number no other sequence of these planes may have it
 */
export async function compare({ real, development }: Both, number: number, sequence: Sequence): Promise<Difference | undefined> {
  const players = [real, development].map((side) => new Player(side, number));
  await Promise.all(players.map((player) => player.begin()));
  for (const [index, operation] of sequence.operations.entries()) {
    const [found, built] = await answers(players, operation);
    if (isEqual(found, built)) continue;
    const history = { operations: sequence.operations.slice(0, index + 1), endsNamespace: false };
    return knownDifference(operation, found, built) === undefined ? { sequence: history, real: found, development: built } : undefined;
  }
  if (sequence.endsNamespace) await Promise.all(players.map((player) => player.endNamespace()));
  const [found = null, built = null] = await settled(players);
  return isEqual(found, built) ? undefined : { sequence, real: found, development: built };
}

/** Leaves out every operation without which the planes still differ, the last one first. @param next a number that no sequence has had */
export async function shortest(both: Both, difference: Difference, next: () => number): Promise<Difference> {
  let best = difference;
  for (let index = best.sequence.operations.length - 2; index >= 0; index -= 1) {
    const operations = best.sequence.operations.filter((_, place) => place !== index);
    best = await compare(both, next(), { ...best.sequence, operations }) ?? best;
    index = Math.min(index, best.sequence.operations.length - 1);
  }
  return best;
}
