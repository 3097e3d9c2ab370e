import type { Attack, Held, Refused } from './attack';
import { claimAttacks } from './attacks/claims';
import { impersonated } from './attacks/impersonated';
import { last } from './attacks/last';
import { leaseAttacks } from './attacks/leases';
import { machinery } from './attacks/machinery';
import { nodeAttacks } from './attacks/nodes';
import { agentAttacks, tenantAttacks } from './attacks/others';
import { podAttacks } from './attacks/pods';
import { stopAttacks } from './attacks/stops';

export const refused: readonly Refused[] = [...nodeAttacks, ...podAttacks, ...leaseAttacks, ...claimAttacks, ...stopAttacks, ...agentAttacks, ...tenantAttacks];

/** In the order in which they are played. */
export const held: readonly Held[] = [...machinery, ...impersonated, ...last];

export const attacks: readonly Attack[] = [...refused, ...held];
