import type { Checkup } from './checks/checkup';

/** What /readyz answers. Names nobody: it may be read by whoever reaches the port. */
export interface Readiness {
  readonly ready: boolean;
  readonly leader: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly reason?: string; readonly message?: string }[];
}

export function readinessOf(checkup: Checkup, leader: boolean): Readiness {
  const checks = checkup.standings().map(({ name, latest }) =>
    (latest.state === 'good' ? { name, ok: true } : { name, ok: false, reason: latest.fault, message: latest.message }));
  return { ready: checks.every(({ ok }) => ok), leader, checks };
}
