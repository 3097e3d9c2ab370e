import { judgeCapacity } from '../../sdk/rules/judge-capacity';
import { UNKNOWN } from '../../sdk/rules/unknown';
import { FLOOR_MS } from '../../sdk/rules/limits';
import type { Call, Core } from './core';
import { auxiliaryFault } from './fault-findings';
import { warning, type Findings } from './finding';
import type { Run } from './run';
import type { Subject } from './title';
import { findingsOf, unknownFindings } from './verdict-findings';

const HOURS = FLOOR_MS / 3_600_000;

function creates(run: Run, ofClass?: string): number {
  return [...run.leases.values()].filter(({ fate, class: name }) => fate === 'create' && (ofClass === undefined || name === ofClass)).length;
}

function money(run: Run): Findings {
  const count = creates(run);
  const leases = count === 1 ? '1 new lease' : `${count} new leases`;
  return [warning('NewLeases', '', `${leases}, at least ${HOURS}h each, cannot be undone`,
    `Each lease takes a whole Mac, and bills it, for at least ${HOURS} consecutive hours from the moment it binds (licence, section 3A(ii)). A release before that leaves it Held and billed until its floor.`)];
}

/** How many Macs of the class are free, as far as the class may be read. */
export async function capacityFindings(core: Core, subject: Subject, className: string, wanted: number, replaces?: string): Promise<Findings> {
  const look = await core.facts.classes();
  if (!look.seen) return auxiliaryFault(look.error, 'classes of Macs', core.run);
  const free = look.value.find((c) => c.metadata.name === className)?.status?.unleased ?? UNKNOWN;
  const verdict = judgeCapacity({ class: className, wanted, free, ...(replaces === undefined ? {} : { replaces }) });
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
    ...(saysMoney ? money(run) : []),
    ...(saysCapacity ? await capacityFindings(core, subject, className, creates(run, className)) : []),
  ];
}
