import { AGENT_STALE_MS } from '../../sdk/api/timing';
import { instant, type Instant } from '../../sdk/rules/instant';
import { FLOOR_MS, INSTANCES_PER_CHASSIS } from '../../sdk/rules/limits';

/** A machine's run as its Mac's own journal tells it. Order within a chassis is by journal number, never by clock. */
export interface Run {
  readonly instanceUID: string;
  readonly bindingUID: string;
  readonly tenant: string;
  readonly startSeq: number;
  /** Undefined while it runs, or when its end is not known. */
  readonly endSeq?: number;
  readonly start: Instant;
  readonly end?: Instant;
  /** Numbers of the audit rows. */
  readonly rows: readonly number[];
}

/** How long a claim held the chassis. */
export interface ClaimSpan {
  readonly bindingUID: string;
  readonly tenant: string;
  readonly from: Instant;
  /** Undefined while it holds. */
  readonly to?: Instant;
  readonly rows: readonly number[];
}

export interface Span { readonly from: Instant; readonly to: Instant }

/** All that is recorded of one chassis. */
export interface ChassisEvidence {
  readonly serial: string;
  readonly enrolledAt: Instant;
  readonly lastSeen: Instant;
  readonly runs: readonly Run[];
  readonly claims: readonly ClaimSpan[];
  /** Spans whose journal numbers never arrived. */
  readonly gaps: readonly Span[];
  /** Reports of more than two machines: a breach even if no run explains it. */
  readonly overCounts: readonly { readonly at: Instant; readonly vmCount: number; readonly row: number }[];
}

export type ViolationKind = 'ThirdMachine' | 'TwoTenants' | 'ClaimsOverlap' | 'ClaimTooShort' | 'RunOutsideClaim';
export interface Violation extends Span { readonly kind: ViolationKind; readonly rows: readonly number[] }

/** The answer for one chassis. `coveredUntil` is the last heartbeat that counts; nothing is claimed of later. */
export interface ChassisProof {
  readonly serial: string;
  readonly verdict: 'proven' | 'violated' | 'notCovered';
  readonly coveredUntil: Instant;
  readonly violations: readonly Violation[];
  readonly uncovered: readonly Span[];
}

export interface FleetProof extends Span {
  readonly verdict: 'proven' | 'violated' | 'notCovered';
  readonly chassis: readonly ChassisProof[];
}

const FOREVER = instant(Number.MAX_SAFE_INTEGER);

const overlaps = (a: Span, b: Span): boolean => a.from <= b.to && a.to >= b.from;
const spanOf = (a: Run, b: Run): Span => ({ from: instant(Math.max(a.start, b.start)), to: instant(Math.min(a.end ?? FOREVER, b.end ?? FOREVER)) });

/**
 * One pass in the order of the Mac's journal. The whole active set is kept: a comparison with only the run before would miss a foreign
 * run that is hidden inside a longer one.
 */
export function sweep(runs: readonly Run[]): Violation[] {
  const found: Violation[] = [];
  let active: Run[] = [];
  for (const run of [...runs].sort((a, b) => a.startSeq - b.startSeq)) {
    active = active.filter((a) => a.endSeq === undefined || a.endSeq > run.startSeq);
    const shortest = instant(Math.min(...[...active, run].map((r) => r.end ?? FOREVER)));
    if (active.length + 1 > INSTANCES_PER_CHASSIS) found.push({ kind: 'ThirdMachine', from: run.start, to: shortest, rows: [...active, run].flatMap((r) => r.rows) });
    for (const other of active.filter((a) => a.tenant !== run.tenant)) found.push({ kind: 'TwoTenants', ...spanOf(other, run), rows: [...other.rows, ...run.rows] });
    active.push(run);
  }
  return found;
}

function judgeClaims(claims: readonly ClaimSpan[]): Violation[] {
  const found: Violation[] = [];
  const sorted = [...claims].sort((a, b) => a.from - b.from);
  for (const [i, claim] of sorted.entries()) {
    if (claim.to !== undefined && claim.to - claim.from < FLOOR_MS) found.push({ kind: 'ClaimTooShort', from: claim.from, to: claim.to, rows: claim.rows });
    for (const later of sorted.slice(i + 1)) {
      const end = claim.to ?? FOREVER;
      if (later.from < end) found.push({ kind: 'ClaimsOverlap', from: later.from, to: instant(Math.min(end, later.to ?? FOREVER)), rows: [...claim.rows, ...later.rows] });
    }
  }
  return found;
}

/** By the claim's UID, never by comparing the clocks of two machines. */
function judgeContainment({ runs, claims }: ChassisEvidence): Violation[] {
  const byUID = new Map(claims.map((c) => [c.bindingUID, c]));
  return runs.filter((r) => byUID.get(r.bindingUID)?.tenant !== r.tenant)
    .map((r) => ({ kind: 'RunOutsideClaim', from: r.start, to: r.end ?? FOREVER, rows: r.rows }));
}

function uncoveredOf(chassis: ChassisEvidence, period: Span): Span[] {
  const silent = period.to - chassis.lastSeen > AGENT_STALE_MS ? [{ from: instant(Math.max(chassis.lastSeen, period.from)), to: period.to }] : [];
  return [...chassis.gaps.filter((g) => overlaps(g, period)), ...silent];
}

/** Violated beats not covered; silence is not evidence. Before its enrolment a Mac is not of the fleet. */
export function proveChassis(chassis: ChassisEvidence, period: Span): ChassisProof {
  const counts = chassis.overCounts.map((o): Violation => ({ kind: 'ThirdMachine', from: o.at, to: o.at, rows: [o.row] }));
  const violations = [...sweep(chassis.runs), ...judgeClaims(chassis.claims), ...judgeContainment(chassis), ...counts].filter((v) => overlaps(v, period));
  const uncovered = uncoveredOf(chassis, period);
  const verdict = violations.length > 0 ? 'violated' : uncovered.length > 0 ? 'notCovered' : 'proven';
  return { serial: chassis.serial, verdict, coveredUntil: instant(Math.min(period.to, chassis.lastSeen)), violations, uncovered };
}

/** Did any chassis run a third machine, or two tenants, in the period? A pure function of the record. */
export function proveFleet(fleet: readonly ChassisEvidence[], period: Span): FleetProof {
  const chassis = fleet.filter((c) => c.enrolledAt <= period.to).map((c) => proveChassis(c, period)).sort((a, b) => (a.serial < b.serial ? -1 : 1));
  const verdict = (['violated', 'notCovered'] as const).find((v) => chassis.some((c) => c.verdict === v)) ?? 'proven';
  return { ...period, verdict, chassis };
}
