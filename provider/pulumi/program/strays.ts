import type { MacNodeLease } from '../../../sdk/api/kinds';
import { warning, type Finding } from '../../core/finding';
import { heldHere, heldLeases, heldWarning } from '../../core/held-leases';
import { factsOf, isReleased, phaseOf } from '../../core/lease';
import { planLeaseDelete } from '../../core/lease-plan-delete';
import { ownerOf } from '../../core/own';
import { wishOn } from '../early-release-wish';
import { storedOnServer } from '../inputs/lease-outputs';
import { tryParseOwner } from '../inputs/owner';
import type { Session } from '../session';
import type { Judged } from './judgement';

/** URN of the resource that made a lease; empty where none of Pulumi did. */
export const urnIn = (lease: MacNodeLease): string => tryParseOwner(ownerOf(lease))?.urn ?? '';

/** What a program declares. */
export interface Declares {
  /** URNs of all its leases and instances. */
  readonly urns: ReadonlySet<string>;
  /** URNs of its leases by their "namespace/name", as far as that is known. A resource that was renamed keeps a lease with the mark of its old name. */
  readonly leases: ReadonlyMap<string, string>;
}

/** URN of the resource of a program that keeps a lease; undefined where the program declares none. */
export function keeperOf(lease: MacNodeLease, { urns, leases }: Declares): string | undefined {
  const { namespace, name } = factsOf(lease);
  return leases.get(`${namespace}/${name}`) ?? (urns.has(urnIn(lease)) ? urnIn(lease) : undefined);
}

/** Living leases that resources of one stack have made. @param marks what the marks of its objects begin with */
export async function leasesOfStack({ core }: Session, namespace: string, marks: string): Promise<readonly MacNodeLease[]> {
  const look = await core.facts.leases(namespace);
  return look.seen ? look.value.filter((lease) => ownerOf(lease)?.startsWith(marks) === true && !isReleased(lease)) : [];
}

/** Refusals of the leases that a stack made, as far as `isGoing` says that they go; of none that may go. */
export async function earlyReleases(session: Session, namespace: string, marks: string, isGoing: (lease: MacNodeLease) => boolean, cause: string): Promise<readonly Judged[]> {
  const going = (await leasesOfStack(session, namespace, marks)).filter(isGoing);
  const judged = await Promise.all(going.map(async (lease) => {
    const findings = await planLeaseDelete(session.core, storedOnServer(lease, wishOn(lease)), { cause, replacement: false });
    return { urn: urnIn(lease), findings: findings.filter(({ severity }) => severity === 'error') };
  }));
  return judged.filter(({ findings }) => findings.length > 0);
}

function orphan(lease: MacNodeLease): Finding {
  const { namespace, name, serial } = factsOf(lease);
  const mac = typeof serial === 'string' ? `, Mac ${serial}` : '';
  return warning('Orphan', '', `lease ${namespace}/${name} is of this stack, and this program does not declare it`,
    `It is ${phaseOf(lease)}${mac}, and billed; its resource was ${urnIn(lease)}. If this preview shows no delete of it, an interrupted run has left it and the state does not know it: `
    + `declare it again (the next update takes it into the state), or release it with \`kubectl patch macnodelease ${name} -n ${namespace} --type=merge -p '{"spec":{"release":true}}'\`.`);
}

/**
 * What a preview says of leases that need somebody's eye: those of the program that are Held, at their resources; the other Held ones of
 * the namespace, once; and those that this stack made and the program no longer has.
 * @param told URNs of leases whose removal was told of already
 */
export async function strays(session: Session, namespace: string, marks: string, declares: Declares, told: ReadonlySet<string>): Promise<readonly Judged[]> {
  const { core } = session;
  const held = await heldLeases(core, namespace);
  const now = await core.facts.now();
  const isDeclared = (lease: MacNodeLease): boolean => keeperOf(lease, declares) !== undefined;
  const others = held.filter((lease) => !isDeclared(lease));
  const orphans = (await leasesOfStack(session, namespace, marks)).filter((lease) => !isDeclared(lease) && !told.has(urnIn(lease)) && phaseOf(lease) !== 'Held');
  return [
    ...held.filter(isDeclared).map((lease) => ({ urn: keeperOf(lease, declares) ?? '', findings: [heldHere(lease, now)] })),
    { urn: '', findings: [...(others.length > 0 ? [heldWarning(namespace, others, now)] : []), ...orphans.map(orphan)] },
  ];
}
