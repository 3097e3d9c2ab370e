import type { GroundName } from '../harness/fault-world/ground';
import { Seeded } from './seeded';

/** What tenants, time and bad luck do. The numbers say how often, in relation to each other. */
const WEIGHTS = {
  createLease: 14, releaseLease: 6, keepLease: 4, deleteLease: 3, raiseFloor: 1,
  createInstance: 16, stopInstance: 5, startInstance: 6, deleteInstance: 6,
  passFloor: 4, heartbeat: 6, silence: 1,
  killOperator: 4, secondOperator: 3, stallOperator: 2, cutOperator: 2, loseEvents: 2, expireWatches: 2, webhooksDown: 2,
  killAgent: 4, cutAgent: 3, stallAgent: 2, fullDisk: 2, rebootMac: 1,
  crashMachine: 4, failStart: 2, slowStop: 2, slowStart: 2, noAddress: 1, cloneIdentity: 1, hypervisorDown: 2,
  heal: 12,
} as const;

/** On processes of a real plane. */
const SERVER_WEIGHTS = { killApiServer: 2, killEtcd: 2, killScheduler: 3, killControllers: 1 } as const;

export type StepKind = keyof typeof WEIGHTS | keyof typeof SERVER_WEIGHTS;

/** A step names what it touches by numbers that are taken modulo what there is: a shorter history has a meaning too. */
export interface Step {
  readonly kind: StepKind;
  readonly which: number;
  /** Milliseconds until the next step: 0 for several things at once. */
  readonly pauseMs: number;
}

// Clocks that jump are for the development plane; a real Mac that falls silent takes its time.
const NOT_REAL: ReadonlySet<string> = new Set<StepKind>(['heartbeat', 'silence']);

function weightsOn(ground: GroundName): Record<StepKind, number> {
  const all: Record<StepKind, number> = { ...WEIGHTS, ...SERVER_WEIGHTS };
  const isOff = (kind: string): boolean => (ground === 'real' ? NOT_REAL.has(kind) : kind in SERVER_WEIGHTS);
  return Object.fromEntries(Object.entries(all).map(([kind, weight]) => [kind, isOff(kind) ? 0 : weight])) as Record<StepKind, number>;
}

const PAUSES_MS = [0, 0, 5, 20, 60, 150, 400];

/** The history that a seed stands for. */
export function history(seed: number, length: number, ground: GroundName): Step[] {
  const chance = new Seeded(seed);
  const weights = weightsOn(ground);
  return Array.from({ length }, () => ({ kind: chance.choose(weights), which: chance.below(1 << 20), pauseMs: PAUSES_MS[chance.below(PAUSES_MS.length)] ?? 0 }));
}

export function printed(steps: readonly Step[]): string {
  return steps.map(({ kind, which, pauseMs }, i) => `${String(i + 1).padStart(4)}  ${kind} ${which}, then ${pauseMs} ms`).join('\n');
}
