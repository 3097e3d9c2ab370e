import type { MacNodeLease } from '../../sdk/api/kinds';
import { formatRemaining } from '../../sdk/rules/duration';
import { formatInstant, type Instant } from '../../sdk/rules/instant';
import { isKnown, type Maybe } from '../../sdk/rules/unknown';
import type { Core } from './core';
import { warning, type Finding, type Findings } from './finding';
import { factsOf, phaseOf } from './lease';

const RULE = 'licence, section 3A(ii)';

function untilText(lease: MacNodeLease, now: Maybe<Instant>): string {
  const { earliestReleaseAt: until } = factsOf(lease);
  if (!isKnown(until) || until === null) return 'the end of its floor';
  return `${formatInstant(until)}${isKnown(now) ? `, ${formatRemaining(until - now)} more` : ''}`;
}

function describe(lease: MacNodeLease, now: Maybe<Instant>): string {
  const { namespace, name, serial, earliestReleaseAt: until } = factsOf(lease);
  const mac = typeof serial === 'string' ? ` (Mac ${serial})` : '';
  return `${namespace}/${name}${mac}${isKnown(until) && until !== null ? '' : ','} until ${untilText(lease, now)}`;
}

const asOf = (now: Maybe<Instant>): string => (isKnown(now) ? ` As of ${formatInstant(now)}.` : '');

/** One warning over all leases of a namespace that are Held. */
export function heldWarning(namespace: string, held: readonly MacNodeLease[], now: Maybe<Instant>): Finding {
  const leases = [...held].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)).map((lease) => describe(lease, now));
  const count = held.length === 1 ? 'a lease is' : `${held.length} leases are`;
  return warning('Held', '', `in namespace ${namespace} ${count} Held`, `Held and billed: ${leases.join('; ')}. Each keeps its Mac and its name until then and is released by itself (${RULE}). `
    + `One that the configuration has with \`adopt = true\` becomes Bound again with the apply; its floor does not change.${asOf(now)}`);
}

/** The warning at the resource of one Held lease. */
export function heldHere(lease: MacNodeLease, now: Maybe<Instant>): Finding {
  const { namespace, name, serial } = factsOf(lease);
  const mac = typeof serial === 'string' ? ` Its Mac ${serial} stays with this tenant.` : '';
  return warning('Held', '', `lease ${namespace}/${name} is Held, billed until ${untilText(lease, now)}`, `It was released outside of this run.${mac} It is released by itself then (${RULE}); until then it takes no new instances. `
    + `With \`adopt = true\` in the configuration it becomes Bound again with the apply; its floor does not change.${asOf(now)}`);
}

/** Leases of a namespace that are Held now; none where they cannot be seen. */
export async function heldLeases(core: Core, namespace: string): Promise<readonly MacNodeLease[]> {
  const look = await core.facts.leases(namespace);
  return look.seen ? look.value.filter((lease) => phaseOf(lease) === 'Held') : [];
}

/** One warning for each namespace that this run touches and that has Held leases, in the state of this run or not; none at apply. */
export async function heldWarnings(core: Core, namespace: string): Promise<Findings> {
  if (core.run.walk === 'apply') return [];
  const held = await heldLeases(core, namespace);
  if (held.length === 0 || !core.run.isFirstToSay(`Held ${namespace}`)) return [];
  return [heldWarning(namespace, held, await core.facts.now())];
}
