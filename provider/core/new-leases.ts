import { judgeCapacity } from '../../sdk/rules/judge-capacity';
import { formatInstant, tryParseInstant, type Instant } from '../../sdk/rules/instant';
import { isKnown, UNKNOWN, type Maybe } from '../../sdk/rules/unknown';
import { FLOOR_MS } from '../../sdk/rules/limits';
import type { Call, Core } from './core';
import { auxiliaryFault } from './fault-findings';
import type { Look } from './facts';
import { warning, type Findings } from './finding';
import type { Run } from './run';
import type { Subject } from './title';
import { findingsOf, unknownFindings } from './verdict-findings';

const HOURS = FLOOR_MS / 3_600_000;

function creates(run: Run, ofClass?: string): number {
  return [...run.leases.values()].filter(({ fate, class: name }) => fate === 'create' && (ofClass === undefined || name === ofClass)).length;
}

/** How many Macs of a class are free, and when the next may be, as far as the server says. */
async function availability(core: Core, className: string): Promise<Look<{ readonly free: Maybe<number>; readonly nextRelease: Instant | null }>> {
  const look = await core.facts.classes();
  if (!look.seen) return look;
  const { unleased, nextReleaseAt } = look.value.find((c) => c.metadata.name === className)?.status ?? {};
  return { seen: true, value: { free: unleased ?? UNKNOWN, nextRelease: nextReleaseAt === undefined ? null : tryParseInstant(nextReleaseAt) ?? null } };
}

async function forecastOf(core: Core, className: string): Promise<string> {
  const look = await availability(core, className);
  const wanted = `${creates(core.run, className)} of class ${className}`;
  if (!look.seen || !isKnown(look.value.free)) return wanted;
  const { free, nextRelease } = look.value;
  return `${wanted} (${free} free now${nextRelease === null ? '' : `, the next may come free at ${formatInstant(nextRelease)}`})`;
}

/** What is wanted, class by class, beside what there is. */
async function forecast(core: Core): Promise<string> {
  const classes = [...core.run.leases.values()].filter(({ fate }) => fate === 'create').map(({ class: name }) => name).filter(isKnown);
  const parts = await Promise.all([...new Set(classes)].sort().map((name) => forecastOf(core, name)));
  return parts.length === 0 ? '' : ` Wanted: ${parts.join('; ')}.`;
}

async function money(core: Core): Promise<Findings> {
  const count = creates(core.run);
  const leases = count === 1 ? '1 new lease' : `${count} new leases`;
  return [warning('NewLeases', '', `${leases}, at least ${HOURS}h each, cannot be undone`,
    `Each lease takes a whole Mac, and bills it, for at least ${HOURS} consecutive hours from the moment it binds (licence, section 3A(ii)). A release before that leaves it Held and billed until its floor.${await forecast(core)}`)];
}

/** How many Macs of the class are free, as far as the class may be read. */
export async function capacityFindings(core: Core, subject: Subject, className: string, wanted: number, replaces?: string): Promise<Findings> {
  const look = await availability(core, className);
  if (!look.seen) return auxiliaryFault(look.error, 'classes of Macs', core.run);
  const verdict = judgeCapacity({ class: className, wanted, ...look.value, ...(replaces === undefined ? {} : { replaces }) });
  return findingsOf({ ...verdict, undetermined: [] }, subject).concat(core.run.isFirstToSay(`capacity ${className}`) ? unknownFindings(verdict.undetermined, subject, 'class') : []);
}

/**
 * What new leases cost, and whether there are Macs for them: once a run and class. The first create waits until the others have
 * been declared, so that the numbers are those of the whole run; no other call waits.
 */
export async function newLeaseFindings(core: Core, call: Call, subject: Subject, className: string): Promise<Findings> {
  const { run } = core;
  if (run.walk === 'apply') return [];
  const [saysMoney, saysCapacity] = [run.isFirstToSay('new leases'), run.isFirstToSay(`new leases of ${className}`)];
  if (!saysMoney && !saysCapacity) return [];
  await call.quiet(new Promise(() => undefined));
  return [
    ...(saysMoney ? await money(core) : []),
    ...(saysCapacity ? await capacityFindings(core, subject, className, creates(run, className)) : []),
  ];
}
