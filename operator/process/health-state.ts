import { X509Certificate } from 'node:crypto';
import type { AgentCredentials } from '../../sdk/client';
import type { ControlPlane } from '../../sdk/client/control-plane';
import type { Instant } from '../../sdk/rules/instant';
import type { Checkup } from './checks/checkup';
import type { WatchedClock } from './checks/clock';
import { countClasses } from './metrics/fleet';
import type { Readings } from './metrics/metrics';
import type { LeaderShift } from './shift';
import type { Webhooks } from './webhooks';

/** What the checks learn beside their findings. */
export interface Learned {
  /** Whether the policies are files of the API server. */
  tamperProof?: boolean;
  /** When the Clock of the policies was stamped. */
  clockStamped?: Instant | undefined;
}

export interface Parts {
  readonly plane: ControlPlane;
  readonly checkup: Checkup;
  readonly clock: WatchedClock;
  readonly webhooks: Webhooks;
  readonly learned: Learned;
  readonly identity: () => AgentCredentials;
  readonly shift: () => LeaderShift | undefined;
}

const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);

function expiryOf(identity: () => AgentCredentials): number | undefined {
  try {
    return Date.parse(new X509Certificate(identity().certificate).validTo) / 1000;
  } catch {
    return undefined; // The file is being replaced; the next request says more.
  }
}

function clockAge({ plane, learned }: Parts): number | undefined {
  const now = plane.lastServerTime();
  return now === undefined || learned.clockStamped === undefined ? undefined : Math.max(0, now - learned.clockStamped) / 1000;
}

/** What a scrape shows of this replica. */
export function readingsOf(parts: Parts): Readings {
  const { checkup, clock, webhooks, learned, identity } = parts;
  const shift = parts.shift();
  const { certificates } = webhooks.state();
  const checks = checkup.standings().map(({ name, latest }) => ({ name, ok: latest.state === 'good' }));
  return {
    classes: shift?.isSynced() === true ? countClasses(shift.stores) : undefined, waiting: shift?.waiting() ?? 0, leads: shift !== undefined,
    tamperProof: learned.tamperProof, clockSkewSeconds: clock.skewMs / 1000, clockAgeSeconds: clockAge(parts),
    auditWritable: checks.some(({ name, ok }) => name === 'audit' && ok),
    certificateExpiry: seconds(certificates?.current.notAfter), caExpiry: seconds(certificates?.authorityNotAfter), clientCertificateExpiry: expiryOf(identity),
    checks,
  };
}
