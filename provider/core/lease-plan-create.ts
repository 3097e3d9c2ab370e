import { Kinds, type MacNodeLease } from '../../sdk/api/kinds';
import { judgeName } from '../../sdk/rules/judge-name';
import { judgeLeaseChange, judgeMinimumDuration } from '../../sdk/rules/judge-lease-change';
import { judgeRelease } from '../../sdk/rules/judge-release';
import { judgeSerial } from '../../sdk/rules/judge-capacity';
import { floorState } from '../../sdk/rules/lease-facts';
import { isKnown } from '../../sdk/rules/unknown';
import { ALLOWED, both, type Verdict } from '../../sdk/rules/verdict';
import type { Call, Core } from './core';
import { createdTwice, keptTwice } from './created-twice';
import { unseenReplacement } from './unseen-replacement';
import { auxiliaryFault } from './fault-findings';
import { dryRunFindings } from './dry-run';
import { hasFailures, warning, type Findings } from './finding';
import { previewNotes } from './preview-notes';
import { factsOf, isReleased, leaseSubject, phaseOf, type LeaseDeclaration, type LeaseTarget } from './lease';
import { adoptionFindings, adoptionMismatch, alreadyThere } from './lease-adopt';
import { leaseBody } from './lease-body';
import { capacityFindings, newLeaseFindings } from './new-leases';
import { idOf, tryName, type Named } from './object-id';
import { isOwnedBy } from './ownership';
import { maybeSubject } from './title';
import { findingsOf, strictFindingsOf, unknownFindings } from './verdict-findings';

const CAUSE = 'replaced (by -replace, or because its state is tainted)';

/** The object of that name is in the state of this run: the create is the second half of a replacement. */
async function replacementFindings(core: Core, declaration: LeaseDeclaration, named: Named, lease: MacNodeLease): Promise<Findings> {
  if (core.run.isReplaced(idOf(named))) return [];
  const now = await core.facts.now();
  const verdict = judgeRelease({ lease: factsOf(lease), onEarlyRelease: 'refuse', cause: CAUSE, replacement: true, now });
  const early = strictFindingsOf(verdict, leaseSubject(named));
  if (early.length > 0 || floorState(factsOf(lease), now).kind === 'unbound' || !isKnown(declaration.class)) return early;
  return capacityFindings(core, leaseSubject(named), declaration.class, 1, idOf(named));
}

/** The object has the mark of this very resource: an interrupted create left it, or the delete of a replacement comes first. */
async function ownedFindings(core: Core, declaration: LeaseDeclaration, named: Named, lease: MacNodeLease): Promise<Findings> {
  if (core.run.isReplaced(idOf(named))) return [];
  const prior = { ...named, class: lease.spec.class, serial: lease.spec.serial ?? null, minimumDuration: lease.spec.minimumDuration };
  const verdict = judgeLeaseChange({ lease: factsOf(lease), prior, next: declaration, now: await core.facts.now() });
  const changed = strictFindingsOf(verdict, leaseSubject(named));
  return changed.length > 0 ? changed : adoptionMismatch(declaration, lease);
}

async function existingFindings(core: Core, declaration: LeaseDeclaration, named: Named, lease: MacNodeLease): Promise<Findings> {
  const subject = leaseSubject(named);
  if (core.run.wasRead('lease', idOf(named), lease.metadata.uid)) return replacementFindings(core, declaration, named, lease);
  // An apply plans each create again, after the delete of a replacement or in the midst of it: the create itself looks then.
  if (core.run.walk === 'apply') return [];
  switch (phaseOf(lease)) {
    case 'Held': {
      const { class: className, adopt } = declaration;
      const verdict = judgeName({ ...named, class: className, adopt: adopt === true, existing: factsOf(lease), now: await core.facts.now() });
      return adopt === true && verdict.refusals.length === 0 ? [...findingsOf(verdict, subject), ...adoptionFindings(declaration, lease)] : findingsOf(verdict, subject);
    }
    case 'Releasing':
      return [warning('NotChecked', 'name', `the name ${idOf(named)} is being released`, `The lease that has the name is Releasing. Apply waits until it is Released, at most for the create timeout, and takes the name then.`)];
    default:
      if (isOwnedBy(lease, declaration.owner)) return ownedFindings(core, declaration, named, lease);
      return declaration.adopt === true ? adoptionFindings(declaration, lease) : [alreadyThere(core.wording, 'lease', named, `phase ${phaseOf(lease)}`)];
  }
}

/** Two leases cannot have one Mac; another lease of this run or of this tenant may have it already. */
async function judgePin(core: Core, id: string, serial: string): Promise<Verdict> {
  const pinned = serial.toLowerCase();
  const inRun = [...core.run.leases].find(([other, { fate, serial: theirs }]) => other !== id && fate !== 'delete' && typeof theirs === 'string' && theirs.toLowerCase() === pinned);
  if (inRun !== undefined) return judgeSerial({ serial, available: false, alsoOf: { id: inRun[0], isNew: inRun[1].fate === 'create' } });
  const look = await core.facts.leases(id.slice(0, id.indexOf('/')));
  const onServer = look.seen && look.value.some((lease) => lease.metadata.name !== id.slice(id.indexOf('/') + 1) && !isReleased(lease) && lease.status?.chassis === pinned);
  return onServer ? judgeSerial({ serial, available: false }) : ALLOWED;
}

function targetOf(declaration: LeaseDeclaration, named: Named): LeaseTarget | undefined {
  const { class: className, serial, minimumDuration, adopt, owner } = declaration;
  if (!isKnown(className) || !isKnown(serial) || !isKnown(minimumDuration)) return undefined;
  return { ...named, class: className, serial, minimumDuration, adopt: adopt === true, owner };
}

async function namedFindings(core: Core, call: Call, declaration: LeaseDeclaration, named: Named): Promise<Findings> {
  const subject = leaseSubject(named);
  const general = await previewNotes(core, named.namespace);
  const look = await core.facts.lease(named);
  const existing = look.seen && look.value !== null && !isReleased(look.value) ? look.value : null;
  const serial = isKnown(declaration.serial) ? declaration.serial : null;
  const pin = serial === null ? ALLOWED : await judgePin(core, idOf(named), serial);
  const found = [
    ...general,
    ...(look.seen ? [] : [...auxiliaryFault(look.error, `leases of namespace ${named.namespace}`, core.run), ...unseenReplacement(core, 'lease', named)]),
    ...(existing === null ? [] : await existingFindings(core, declaration, named, existing)),
    ...findingsOf(pin, subject),
  ];
  const target = targetOf(declaration, named);
  const canAsk = existing === null && core.run.walk !== 'apply' && target !== undefined && !hasFailures(found);
  if (canAsk) found.push(...await dryRunFindings(core, Kinds.MacNodeLease, leaseBody(target), subject));
  const isNew = existing === null || !(declaration.adopt === true || isOwnedBy(existing, declaration.owner));
  const cost = isNew && !hasFailures(found) && isKnown(declaration.class) ? await newLeaseFindings(core, call, subject, declaration.class) : [];
  return [...found, ...cost];
}

/** What a preview says of a lease that is to be made: of its name, its Mac and its price. */
export async function planLeaseCreate(core: Core, call: Call, declaration: LeaseDeclaration): Promise<Findings> {
  const { namespace, name, class: className, serial, minimumDuration } = declaration;
  const subject = maybeSubject('lease', namespace, name);
  const floor = findingsOf({ ...both(judgeMinimumDuration(minimumDuration)), refusals: [] }, subject);
  const named = tryName(namespace, name);
  if (named === undefined) {
    const hole = isKnown(name) ? 'namespace' : 'name';
    return [...floor, ...unknownFindings([`its ${hole}, and with it whether the name is free and the Mac available`], subject, hole)];
  }
  const twice = [...createdTwice(core, 'lease', named), ...keptTwice(core, 'lease', named, declaration.owner)].slice(0, 1);
  if (twice.length > 0) return twice;
  core.run.declareLease(idOf(named), { fate: 'create', class: className, serial, becomesBound: true });
  return [...floor, ...await namedFindings(core, call, declaration, named)];
}
