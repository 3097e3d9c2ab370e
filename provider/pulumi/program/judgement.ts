import type { MacNodeLease, MacOSInstance } from '../../../sdk/api/kinds';
import { processTimers } from '../../../sdk/client/timers';
import { UNKNOWN } from '../../../sdk/rules/unknown';
import type { Call } from '../../core/core';
import { hasFailures, type Finding, type Findings } from '../../core/finding';
import { CallCounter } from '../../core/in-flight';
import { planInstanceCreate } from '../../core/instance-plan-create';
import { planInstanceUpdate } from '../../core/instance-plan-update';
import { isReleased } from '../../core/lease';
import { planLeaseCreate } from '../../core/lease-plan-create';
import { planLeaseUpdate } from '../../core/lease-plan-update';
import { tryParseId } from '../../core/object-id';
import { isOwnedBy, type Owner } from '../../core/ownership';
import { isHole } from '../holes';
import { INSTANCE_FIELDS, instanceInputs } from '../inputs/instance-inputs';
import { storedOnServer as storedInstance } from '../inputs/instance-outputs';
import { LEASE_FIELDS, leaseInputs } from '../inputs/lease-inputs';
import { storedOnServer as storedLease } from '../inputs/lease-outputs';
import { pick } from '../methods/pick';
import { maybe, toProp } from '../props';
import type { Session } from '../session';
import { withoutIgnored, type Declared } from './declaration';
import { withholdNewLeases } from './withheld';

/** Milliseconds without a working call after which every resource of the group has been declared. */
const SETTLE_MS = 5;

/** What is to be said of one resource of the program. */
export interface Judged {
  readonly urn: string;
  readonly findings: Findings;
}

/** "namespace/name" of a lease, as far as it is known. @param namespace of leases that name none */
export function idOfLease(declared: Pick<Declared, 'props'>, namespace: string): unknown {
  return leaseInputs(declared.props(), {}, namespace).inputs.leaseId ?? toProp(UNKNOWN);
}

async function ownLease({ core }: Session, namespace: string, owner: Owner): Promise<MacNodeLease | undefined> {
  const look = await core.facts.leases(namespace);
  return look.seen ? look.value.find((lease) => isOwnedBy(lease, owner) && !isReleased(lease)) : undefined;
}

async function ownInstance({ core }: Session, namespace: string, owner: Owner): Promise<MacOSInstance | undefined> {
  const look = await core.facts.instances(namespace);
  return look.seen ? look.value.find((instance) => isOwnedBy(instance, owner)) : undefined;
}

async function judgeLease(session: Session, declared: Declared, owner: string, call: Call): Promise<Findings> {
  const props = { ...declared.props(), owner };
  const written = leaseInputs(props, {}, session.namespace).declaration;
  const own = typeof written.namespace === 'string' ? await ownLease(session, written.namespace, written.owner) : undefined;
  const prior = own === undefined ? undefined : storedLease(own, written.onEarlyRelease === 'hold' ? 'hold' : 'refuse');
  const { declaration, findings } = leaseInputs(prior === undefined ? props : withoutIgnored(props, pick({ ...prior }, LEASE_FIELDS), declared.ignored), {}, session.namespace);
  if (hasFailures(findings)) return findings;
  return prior === undefined ? planLeaseCreate(session.core, call, declaration) : (await planLeaseUpdate(session.core, prior, declaration)).findings;
}

/** The id of a lease that the control plane does not have yet. */
async function newLeaseId({ core, namespace }: Session, declared: Declared): Promise<string | undefined> {
  const id = declared.kind === 'lease' ? maybe(idOfLease(declared, namespace)) : undefined;
  const named = typeof id === 'string' ? tryParseId(id) : undefined;
  const look = named === undefined ? undefined : await core.facts.lease(named);
  return look?.seen === true && (look.value === null || isReleased(look.value)) ? String(id) : undefined;
}

async function judgeInstance(session: Session, declared: Declared, owner: string, leaseOf: (declared: Declared) => Declared | undefined, call: Call): Promise<Findings> {
  const lease = leaseOf(declared);
  const props = { ...declared.props(), owner, ...(lease === undefined ? {} : { lease: idOfLease(lease, session.namespace) }) };
  const written = instanceInputs(props, {}).declaration;
  const own = typeof written.namespace === 'string' ? await ownInstance(session, written.namespace, written.owner) : undefined;
  const prior = own === undefined ? undefined : storedInstance(own);
  const { declaration, findings } = instanceInputs(prior === undefined ? props : withoutIgnored(props, pick({ ...prior }, INSTANCE_FIELDS), declared.ignored), {});
  if (hasFailures(findings)) return findings;
  if (prior === undefined) return planInstanceCreate(session.core, call, declaration);
  const { findings: kept, replaces } = await planInstanceUpdate(session.core, prior, declaration);
  return replaces.length === 0 ? kept : [...kept, ...await planInstanceCreate(session.core, call, declaration)];
}

/** What is to be said of resources that a program declares together. Nothing is said of what is not known yet. */
export async function judgeProgram(session: Session, group: readonly Declared[], ownerOf: (urn: string) => string, leaseOf: (declared: Declared) => Declared | undefined): Promise<readonly Judged[]> {
  const calls = new CallCounter(processTimers);
  const signal = new AbortController().signal;
  const members = await Promise.all(group.map(async (declared) => {
    const ticket = calls.begin();
    const call: Call = { signal, get waiting() { return ticket.waiting; }, quiet: (wake) => ticket.quiet(SETTLE_MS, wake) };
    const owner = ownerOf(declared.urn);
    try {
      const findings = declared.kind === 'lease' ? await judgeLease(session, declared, owner, call) : await judgeInstance(session, declared, owner, leaseOf, call);
      return { urn: declared.urn, declared, findings: findings.filter(isWorthSaying), newLease: await newLeaseId(session, declared) };
    } finally {
      ticket.end();
    }
  }));
  withholdNewLeases(session, members);
  return members;
}

/** An object of the name may be in the state under another URN, as with an alias or a stack that was renamed. */
const OF_THE_STATE: ReadonlySet<Finding['reason']> = new Set(['AlreadyExists', 'NameHeld']);

/** Held leases are told of at their own resources; holes, and what depends on the state, by the check, which knows more. */
function isWorthSaying(finding: Finding): boolean {
  return finding.reason !== 'Held' && !OF_THE_STATE.has(finding.reason) && !isHole(finding);
}
