import type { AuditLog } from '../../operator/audit/audit-log';
import type { ChassisProof, FleetProof, Span } from '../../operator/audit/prove-fleet';
import { formatInstant, instant, type Instant } from '../../sdk/rules/instant';
import { table } from '../mac/table';
import { toStandardOutput, withRecord, type Print } from './with-record';

export interface ProveOptions {
  readonly file: string;
  readonly days: number;
  readonly to?: Instant;
  readonly output?: 'json';
}

const DAY_MS = 86_400_000;
const STORED_WITHIN_MS = 120_000;
const ALWAYS = { from: instant(0), to: instant(Number.MAX_SAFE_INTEGER) };

/** The answer, and what a shell learns of it. A record without a Mac proves nothing. */
const STATUS = { proven: 0, violated: 3, notCovered: 4 } as const;
const SENTENCE = {
  proven: 'proven: no Mac ran two tenants or three virtual machines, and none changed hands before its floor',
  violated: 'VIOLATED',
  notCovered: 'not covered: nothing is claimed of the spans below',
} as const;

const spanOf = ({ from, to }: Span): string => `${formatInstant(from)} to ${to >= ALWAYS.to ? 'now' : formatInstant(to)}`;
const shown = (proof: ChassisProof): string[] => [
  ...proof.violations.map((found) => `${found.kind} ${spanOf(found)} (rows ${[...new Set(found.rows)].join(', ')})`),
  ...proof.uncovered.map((span) => `not covered ${spanOf(span)}`),
];

function printed({ chassis, verdict, ...period }: FleetProof): string[] {
  if (chassis.length === 0) return [`not covered: by the record no Mac was enrolled by ${formatInstant(period.to)}`];
  const rows = chassis.flatMap((proof) => {
    const [first = '', ...others] = shown(proof);
    return [[proof.serial, proof.verdict, formatInstant(proof.coveredUntil), first], ...others.map((what) => ['', '', '', what])];
  });
  return [`${SENTENCE[verdict]}; ${chassis.length} ${chassis.length === 1 ? 'Mac' : 'Macs'}, ${spanOf(period)}`, table(['SERIAL', 'VERDICT', 'COVERED-UNTIL', 'WHAT'], rows)];
}

const isoSpan = <S extends Span>(span: S) => ({ ...span, from: formatInstant(span.from), to: span.to >= ALWAYS.to ? null : formatInstant(span.to) });

function documentOf(proof: FleetProof): object {
  return {
    ...isoSpan(proof), verdict: proof.chassis.length === 0 ? 'notCovered' : proof.verdict,
    chassis: proof.chassis.map((each) => ({ ...each, coveredUntil: formatInstant(each.coveredUntil), violations: each.violations.map(isoSpan), uncovered: each.uncovered.map(isoSpan) })),
  };
}

async function proofOf(record: Pick<AuditLog, 'proveFleet'>, { days, to }: ProveOptions): Promise<FleetProof> {
  const newest = (await record.proveFleet(ALWAYS)).chassis.reduce((latest, { coveredUntil }) => Math.max(latest, coveredUntil), 0);
  const end = to ?? instant(Math.max(0, newest - STORED_WITHIN_MS));
  return record.proveFleet({ from: instant(Math.max(0, end - days * DAY_MS)), to: end });
}

/** Resolves to the exit status. @throws Error where there is no record */
export async function prove(options: ProveOptions, print: Print = toStandardOutput): Promise<number> {
  const proof = await withRecord(options.file, (record) => proofOf(record, options));
  if (options.output === 'json') print(JSON.stringify(documentOf(proof)));
  else for (const line of printed(proof)) print(line);
  return proof.chassis.length === 0 ? STATUS.notCovered : STATUS[proof.verdict];
}
