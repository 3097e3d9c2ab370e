import type { MacNodeLease } from '../../sdk/api/kinds';
import { formatRemaining } from '../../sdk/rules/duration';
import { formatInstant, type Instant } from '../../sdk/rules/instant';
import { isKnown, type Maybe } from '../../sdk/rules/unknown';
import type { Core } from './core';
import { warning, type Findings } from './finding';
import { factsOf, phaseOf } from './lease';

function describe(lease: MacNodeLease, now: Maybe<Instant>): string {
  const { namespace, name, serial, earliestReleaseAt: until } = factsOf(lease);
  const mac = typeof serial === 'string' ? ` (Mac ${serial})` : '';
  if (!isKnown(until) || until === null) return `${namespace}/${name}${mac}, until the end of its floor`;
  return `${namespace}/${name}${mac} until ${formatInstant(until)}${isKnown(now) ? `, ${formatRemaining(until - now)} more` : ''}`;
}

/** One warning for each namespace that this run touches and that has Held leases, in the state of this run or not; none at apply. */
export async function heldWarnings(core: Core, namespace: string): Promise<Findings> {
  if (core.run.walk === 'apply') return [];
  const look = await core.facts.leases(namespace);
  const held = look.seen ? look.value.filter((lease) => phaseOf(lease) === 'Held') : [];
  if (held.length === 0 || !core.run.isFirstToSay(`Held ${namespace}`)) return [];
  const now = await core.facts.now();
  const leases = [...held].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)).map((lease) => describe(lease, now));
  const count = held.length === 1 ? 'a lease is' : `${held.length} leases are`;
  return [warning('Held', '', `in namespace ${namespace} ${count} Held`, `Held and billed: ${leases.join('; ')}. Each keeps its Mac and its name until then and is released by itself (licence, section 3A(ii)). `
    + `Adopt one to use it again; its floor does not change.${isKnown(now) ? ` As of ${formatInstant(now)}.` : ''}`)];
}
