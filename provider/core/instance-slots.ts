import type { MacOSInstance } from '../../sdk/api/kinds';
import { judgeShape, type Sizes } from '../../sdk/rules/judge-shape';
import { judgeStart, type Holder } from '../../sdk/rules/judge-start';
import { isKnown, UNKNOWN, type Maybe } from '../../sdk/rules/unknown';
import { ALLOWED, both, undetermined, type Verdict } from '../../sdk/rules/verdict';
import { chassisOf, type Chassis } from './chassis';
import type { Call, Core } from './core';
import { holderOf, holdsSlot, instanceIdOf, leaseIdOf, sizesOf } from './instance';
import { idOf, tryParseId, type Named } from './object-id';
import type { SlotLedger } from './slot-ledger';

/** Calls that Terraform makes at once unless told otherwise. When that many wait, a fate may be unknown for want of a caller. */
const PARALLELISM = 10;

/** What is known of one lease at one moment of the run. */
interface Situation {
  readonly lease: Named;
  readonly ledger: SlotLedger;
  /** Instances of the lease that hold a slot on the server; unknown when it cannot be asked. */
  readonly onServer: Maybe<readonly MacOSInstance[]>;
  readonly serial: Maybe<string | null>;
  readonly chassis: Maybe<Chassis>;
  readonly now: Holder['since'] | typeof UNKNOWN;
}

async function situationOf(core: Core, lease: Named): Promise<Situation> {
  const [instances, leaseLook] = await Promise.all([core.facts.instances(lease.namespace), core.facts.lease(lease)]);
  const id = idOf(lease);
  return {
    lease,
    ledger: core.run.ledger(id),
    onServer: instances.seen ? instances.value.filter((i) => leaseIdOf(i) === id && holdsSlot(i)) : UNKNOWN,
    serial: leaseLook.seen ? leaseLook.value?.status?.chassis ?? null : UNKNOWN,
    chassis: await chassisOf(core, lease),
    now: await core.facts.now(),
  };
}

const declaredHolder = (id: string): Holder => ({ ...(tryParseId(id) ?? { namespace: '', name: id }), state: 'declared' });

function judgeShapes({ chassis, lease }: Situation, shapes: readonly Maybe<Sizes>[]): Verdict {
  if (!isKnown(chassis)) return ALLOWED;
  return judgeShape({ lease: idOf(lease), class: chassis.class, chassis: chassis.sizes, shapes: shapes.filter(isKnown) });
}

/** Judges those that stay for certain, or with `unread` also those whose fate no call has told yet. */
function judgeSet(situation: Situation, withUnread: boolean): Verdict {
  const { ledger, lease, serial, now } = situation;
  const server = new Map((isKnown(situation.onServer) ? situation.onServer : []).map((i) => [instanceIdOf(i), i]));
  const { staying } = ledger;
  const unread = withUnread ? [...server].filter(([id]) => ledger.fateOf(id) === undefined) : [];
  const holders = [...staying].filter(([id, { fate }]) => fate === 'keep' || server.has(id)).map(([id]) => {
    const instance = server.get(id);
    return instance === undefined ? declaredHolder(id) : holderOf(instance);
  });
  const start = judgeStart({
    lease, serial, now: now ?? UNKNOWN,
    holders: [...holders, ...unread.map(([, instance]) => holderOf(instance))],
    starting: ledger.creates.map(declaredHolder),
  });
  // A third instance never fits either, and saying so twice helps nobody.
  if (start.refusals.length > 0) return start;
  const shapes = [...[...staying.values()].map(({ shape }) => shape), ...unread.map(([, instance]) => sizesOf(instance.spec.shape))];
  return both(start, ledger.creates.length === 0 ? ALLOWED : judgeShapes(situation, shapes));
}

const isRefused = (verdict: Verdict): boolean => verdict.refusals.length > 0;

/** A refusal is said once for a lease: it names every holder. */
function once(core: Core, lease: Named, verdict: Verdict): Verdict {
  return { ...verdict, refusals: verdict.refusals.filter(({ reason, path }) => core.run.isFirstToSay(`${reason} ${path} ${idOf(lease)}`)) };
}

/** Holders that no call has told of may be removed by a call that found no room yet, if the tool makes few at once. */
function withExit({ wording }: Core, verdict: Verdict): Verdict {
  return { ...verdict, refusals: verdict.refusals.map((r) => ({ ...r, message: `${r.message} ${wording.slotExit}` })) };
}

const exhausted = (lease: Named): Verdict =>
  undetermined(`whether a slot of lease ${idOf(lease)} becomes free in this run: too many creates wait for it at once. If the apply finds none in time, apply again, or use a higher -parallelism`);

/**
 * Judges a create against the two slots and the size of its lease. While holders have a fate that no call has told yet, it waits for it: Terraform
 * plans deletes and creates in any order. What is certain is refused at once. In an apply the create itself waits for its slot.
 */
export async function judgeCreate(core: Core, call: Call, lease: Named): Promise<Verdict> {
  const ledger = core.run.ledger(idOf(lease));
  // Counted also while it looks again: whatever is declared meanwhile, it will see and say.
  ledger.waiting += 1;
  return judgeUntilCertain(core, call, lease).finally(() => { ledger.waiting -= 1; });
}

async function judgeUntilCertain(core: Core, call: Call, lease: Named): Promise<Verdict> {
  for (;;) {
    const changed = core.run.changed();
    const situation = await situationOf(core, lease);
    const certain = judgeSet(situation, false);
    if (isRefused(certain)) return once(core, lease, certain);
    if (core.run.walk === 'apply') return ALLOWED;
    const likely = judgeSet(situation, true);
    if (!isRefused(likely)) return isKnown(situation.onServer) ? likely : ALLOWED;
    const others = call.waiting;
    const quiet = await call.quiet(changed);
    if (quiet === 'woken') continue;
    if (core.run.walk !== 'preview') return ALLOWED;
    return others + 1 >= PARALLELISM || quiet === 'stopped' ? exhausted(lease) : once(core, lease, withExit(core, likely));
  }
}

/** Judges at the call of an instance that stays, where that makes a third certain and no waiting create is there to say it. */
export async function judgeKeep(core: Core, lease: Named): Promise<Verdict> {
  const ledger = core.run.ledger(idOf(lease));
  if (ledger.waiting > 0 || ledger.creates.length === 0 || core.run.walk === 'apply') return ALLOWED;
  const certain = judgeSet(await situationOf(core, lease), false);
  return isRefused(certain) ? once(core, lease, certain) : ALLOWED;
}
