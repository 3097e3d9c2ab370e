import { isFault, PlaneError, type PlaneFault } from '../../sdk/client';
import type { Reason } from '../../sdk/rules/reasons';
import type { Answer } from './table';

/** What a layer says in its own words, and the reason that other layers call it by. */
export interface Wording {
  readonly says: string;
  readonly reason: Reason;
}

/** Runs a write and gives its refusal; undefined when it was let through. Anything but an answer of the plane is thrown. */
async function refused(write: Promise<unknown>): Promise<PlaneError | undefined> {
  try {
    await write;
    return undefined;
  } catch (error) {
    if (error instanceof PlaneError && isFault(error, ...REFUSALS)) return error;
    throw error;
  }
}

const REFUSALS: readonly PlaneFault[] = ['Forbidden', 'Invalid', 'Conflict', 'AlreadyExists'];

function reasonOf(said: string, words: readonly Wording[], error: PlaneError): Reason {
  const wording = words.find(({ says }) => said.includes(says));
  if (wording === undefined) throw new Error(`refused in words that no reason is known for: ${said}`, { cause: error });
  return wording.reason;
}

/** The reasons of a write's refusal, by the words of each field at fault, or of the whole where the server names no field. */
export async function answerInWords(write: Promise<unknown>, words: readonly Wording[]): Promise<Answer> {
  const error = await refused(write);
  if (error === undefined) return [];
  const said = (error.detail.causes ?? []).map(({ message }) => message ?? '');
  return (said.length > 0 ? said : [error.said]).map((text) => reasonOf(text, words, error));
}

/** The reasons of a refusal as the server states them for machines: in `details.causes`. */
export async function answerAsData(write: Promise<unknown>): Promise<Answer> {
  const error = await refused(write);
  if (error === undefined) return [];
  const reasons = (error.detail.causes ?? []).map(({ reason }) => reason as Reason | undefined);
  if (reasons.length === 0 || reasons.includes(undefined)) throw new Error('refused without a reason as data', { cause: error });
  return reasons as Reason[];
}
