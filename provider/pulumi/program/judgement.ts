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
import { isOwnedBy, type Owner } from '../../core/ownership';
import { instanceInputs } from '../inputs/instance-inputs';
import { storedOnServer as storedInstance } from '../inputs/instance-outputs';
import { leaseInputs } from '../inputs/lease-inputs';
import { storedOnServer as storedLease } from '../inputs/lease-outputs';
import { toProp } from '../props';
import type { Session } from '../session';
import type { Declared } from './declaration';

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
  const { declaration, findings } = leaseInputs({ ...declared.props(), owner }, {}, session.namespace);
  if (hasFailures(findings)) return findings;
  const { namespace } = declaration;
  const own = typeof namespace === 'string' ? await ownLease(session, namespace, declaration.owner) : undefined;
  if (own === undefined) return planLeaseCreate(session.core, call, declaration);
  return (await planLeaseUpdate(session.core, storedLease(own, declaration.onEarlyRelease === 'hold' ? 'hold' : 'refuse'), declaration)).findings;
}

async function judgeInstance(session: Session, declared: Declared, owner: string, leaseOf: (declared: Declared) => Declared | undefined, call: Call): Promise<Findings> {
  const lease = leaseOf(declared);
  const props = { ...declared.props(), owner, ...(lease === undefined ? {} : { lease: idOfLease(lease, session.namespace) }) };
  const { declaration, findings } = instanceInputs(props, {});
  if (hasFailures(findings)) return findings;
  const { namespace } = declaration;
  const own = typeof namespace === 'string' ? await ownInstance(session, namespace, declaration.owner) : undefined;
  return own === undefined ? planInstanceCreate(session.core, call, declaration) : (await planInstanceUpdate(session.core, storedInstance(own), declaration)).findings;
}

/** What is to be said of resources that a program declares together. Nothing is said of what is not known yet. */
export async function judgeProgram(session: Session, group: readonly Declared[], ownerOf: (urn: string) => string, leaseOf: (declared: Declared) => Declared | undefined): Promise<readonly Judged[]> {
  const calls = new CallCounter(processTimers);
  const signal = new AbortController().signal;
  return Promise.all(group.map(async (declared) => {
    const ticket = calls.begin();
    const call: Call = { signal, get waiting() { return ticket.waiting; }, quiet: (wake) => ticket.quiet(SETTLE_MS, wake) };
    const owner = ownerOf(declared.urn);
    try {
      const findings = declared.kind === 'lease' ? await judgeLease(session, declared, owner, call) : await judgeInstance(session, declared, owner, leaseOf, call);
      return { urn: declared.urn, findings: findings.filter(isWorthSaying) };
    } finally {
      ticket.end();
    }
  }));
}

/** Held leases are told of at their own resources, and holes by the check, which knows more. */
function isWorthSaying({ reason, severity, detail }: Finding): boolean {
  if (reason === 'Held') return false;
  return !(severity === 'warning' && reason === 'NotChecked' && detail.startsWith('Not known yet:'));
}
