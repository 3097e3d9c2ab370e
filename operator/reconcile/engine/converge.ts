import type { Instant } from '../../../sdk/rules/instant';
import type { Again } from './queue';
import type { View } from './view';

/** What a look at one object says: take this step, or wait (until an instant, or for a change). */
export type Decision<Step> = { readonly step: Step } | { readonly wait: Instant | undefined };

/** Nothing to do until something changes. */
export const SETTLED: Decision<never> = { wait: undefined };

export const waitUntil = (at: Instant): Decision<never> => ({ wait: at });

/**
 * One kind of reconciliation. `decide` is pure and names one step, which makes one write, so a process killed before or after any
 * write finds the same next step again from what the server holds.
 */
export interface Controller<Facts extends { readonly now: Instant }, Step> {
  gather(view: View, key: string): Promise<Facts | null>;
  decide(facts: Facts): Decision<Step>;
  perform(step: Step, facts: Facts): Promise<void>;
  /** True for a step that compare-and-swap alone makes safe on lagging facts (a status). */
  isReversible(step: Step): boolean;
}

// More steps than any object can need: a decision that does not move on is a bug, and must not spin.
const MOST_STEPS = 60;

/**
 * Brings one key to rest, or as far as it goes now. The cached view's time is a lower bound, so a wait that it answers with is believed, unless
 * it is the very time that has just come.
 */
export async function converge<Facts extends { readonly now: Instant }, Step>(
  controller: Controller<Facts, Step>, views: { readonly cached: View; readonly live: View }, key: string, due: Instant | undefined,
): Promise<Again | undefined> {
  const facts = await controller.gather(views.cached, key);
  if (facts === null && due === undefined) return undefined;
  const decision = facts === null ? undefined : controller.decide(facts);
  if (facts !== null && decision !== undefined) {
    if ('wait' in decision && (due === undefined || (decision.wait !== undefined && decision.wait > due))) return again(decision.wait, facts.now);
    // Its effect comes back through the watch, which asks for the next look.
    if ('step' in decision && due === undefined && controller.isReversible(decision.step)) return void (await controller.perform(decision.step, facts));
  }
  return convergeLive(controller, views.live, key);
}

async function convergeLive<Facts extends { readonly now: Instant }, Step>(controller: Controller<Facts, Step>, view: View, key: string): Promise<Again | undefined> {
  for (let taken = 0; taken < MOST_STEPS; taken += 1) {
    const facts = await controller.gather(view, key);
    if (facts === null) return undefined;
    const decision = controller.decide(facts);
    if ('wait' in decision) return again(decision.wait, facts.now);
    await controller.perform(decision.step, facts);
  }
  throw new Error(`${key} did not come to rest in ${MOST_STEPS} steps`);
}

function again(at: Instant | undefined, now: Instant): Again | undefined {
  return at === undefined ? undefined : { at, wait: at - now };
}
