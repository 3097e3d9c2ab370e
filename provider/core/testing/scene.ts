import type { MacClass, MacNodeLease, MacOSInstance } from '../../../sdk/api/kinds';
import type { MacNodeLeaseStatus } from '../../../sdk/api/mac-node-lease';
import type { MacOSInstanceStatus } from '../../../sdk/api/mac-os-instance';
import { formatInstant, instant } from '../../../sdk/rules/instant';
import type { Call, Core } from '../core';
import { Facts } from '../facts';
import type { InstanceDeclaration, InstanceTarget, StoredInstance } from '../instance';
import type { LeaseDeclaration, LeaseTarget, StoredLease } from '../lease';
import { Run, type Walk } from '../run';
import { TERRAFORM } from '../wording';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';

export const HOUR = 3_600_000;
const BOUND_AT = 1_795_946_400_000;

/** Timers that a test fires. */
class ManualTimers {
  private readonly armed = new Map<() => void, number>();

  after(milliseconds: number, callback: () => void): () => void {
    this.armed.set(callback, milliseconds);
    return () => this.armed.delete(callback);
  }

  /** Fires those of at most so many milliseconds. */
  fire(upTo = Infinity): void {
    for (const [callback, milliseconds] of [...this.armed]) {
      if (milliseconds <= upTo && this.armed.delete(callback)) callback();
    }
  }
}

/** Lets everything that can go on without a timer or a write go on. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** One process of a tool on a plane in memory. */
export class Scene {
  readonly timers = new ManualTimers();
  readonly core: Core;
  private waiters: (() => void)[] = [];

  constructor(readonly plane = new MemoryPlane(), hint: Walk = 'unknown') {
    this.core = { plane, facts: new Facts(plane), run: new Run(() => hint), timers: this.timers, wording: TERRAFORM };
  }

  /** A call whose `quiet` ends when the test says that no other call works. */
  call(options: { readonly waiting?: number; readonly signal?: AbortSignal } = {}): Call {
    return {
      signal: options.signal ?? new AbortController().signal,
      waiting: options.waiting ?? 0,
      quiet: (wake) => Promise.race([wake.then(() => 'woken' as const), this.silence().then(() => 'quiet' as const)]),
    };
  }

  private silence(): Promise<void> {
    return new Promise((resolve) => this.waiters.push(resolve));
  }

  /** No other call works any more. */
  async quiet(): Promise<void> {
    await settle();
    const waiters = this.waiters;
    this.waiters = [];
    for (const wake of waiters) wake();
    await settle();
  }
}

export function leaseObject(name: string, status: MacNodeLeaseStatus | null = {}, over: { readonly class?: 'base' | 'pro'; readonly serial?: string; readonly minimumDuration?: string; readonly release?: boolean; readonly uid?: string; readonly deleted?: boolean } = {}): MacNodeLease {
  const bound = { phase: 'Bound', chassis: 'c02xyz', node: 'mac-c02xyz', boundAt: formatInstant(instant(BOUND_AT)), earliestReleaseAt: formatInstant(instant(BOUND_AT + 24 * HOUR)) } as const;
  return {
    apiVersion: 'macrack.io/v1', kind: 'MacNodeLease',
    metadata: { namespace: 'team-a', name, uid: over.uid ?? `uid-${name}`, resourceVersion: '1', generation: 1, creationTimestamp: formatInstant(instant(BOUND_AT)), ...(over.deleted ? { deletionTimestamp: formatInstant(instant(BOUND_AT)) } : {}) },
    spec: { class: over.class ?? 'base', minimumDuration: over.minimumDuration ?? '24h', release: over.release ?? false, ...(over.serial === undefined ? {} : { serial: over.serial }) },
    ...(status === null ? {} : { status: { observedGeneration: 1, ...bound, ...status } }),
  };
}

export function instanceObject(name: string, lease = 'l1', status: MacOSInstanceStatus = {}, over: { readonly deleted?: boolean; readonly uid?: string } = {}): MacOSInstance {
  return {
    apiVersion: 'macrack.io/v1', kind: 'MacOSInstance',
    metadata: { namespace: 'team-a', name, uid: over.uid ?? `uid-${name}`, resourceVersion: '1', creationTimestamp: formatInstant(instant(BOUND_AT)), annotations: { 'macrack.io/requested-by': 'ada' }, ...(over.deleted ? { deletionTimestamp: formatInstant(instant(BOUND_AT)) } : {}) },
    spec: { leaseName: lease, image: 'acme/macos:15', shape: { cpu: 4, memory: '8Gi', disk: '100Gi' }, running: true },
    status: { phase: 'Running', ...status },
  };
}

export function classObject(name: string, unleased: number): MacClass {
  return {
    apiVersion: 'macrack.io/v1', kind: 'MacClass', metadata: { name, uid: name, resourceVersion: '1', creationTimestamp: formatInstant(instant(BOUND_AT)) },
    spec: { cpu: 8, memory: '16Gi', disk: '256Gi' }, status: { total: 4, unleased, leased: 4 - unleased, held: 0 },
  };
}

export const leaseDeclaration = (over: Partial<LeaseDeclaration> = {}): LeaseDeclaration =>
  ({ namespace: 'team-a', name: 'l1', class: 'base', serial: null, minimumDuration: '24h', onEarlyRelease: 'refuse', adopt: false, ...over });

export const leaseTarget = (over: Partial<LeaseTarget> = {}): LeaseTarget =>
  ({ namespace: 'team-a', name: 'l1', class: 'base', serial: null, minimumDuration: '24h', adopt: false, ...over });

export const storedLease = (over: Partial<StoredLease> = {}): StoredLease => ({
  namespace: 'team-a', name: 'l1', uid: 'uid-l1', class: 'base', serial: null, minimumDuration: '24h', onEarlyRelease: 'refuse', phase: 'Bound',
  chassis: 'c02xyz', earliestReleaseAt: formatInstant(instant(BOUND_AT + 24 * HOUR)), ...over,
});

const SHAPE = { cpu: 4, memory: '8Gi', disk: '100Gi' };

export const instanceDeclaration = (name: string, over: Partial<InstanceDeclaration> = {}): InstanceDeclaration =>
  ({ namespace: 'team-a', name, lease: 'team-a/l1', image: 'acme/macos:15', shape: SHAPE, running: true, ...over });

export const instanceTarget = (name: string, over: Partial<InstanceTarget> = {}): InstanceTarget =>
  ({ namespace: 'team-a', name, lease: 'team-a/l1', image: 'acme/macos:15', shape: SHAPE, running: true, awaitIp: false, ...over });

export const storedInstance = (name: string, over: Partial<StoredInstance> = {}): StoredInstance & { readonly reason: string | null } =>
  ({ namespace: 'team-a', name, uid: `uid-${name}`, lease: 'team-a/l1', image: 'acme/macos:15', shape: SHAPE, running: true, phase: 'Running', reason: null, ...over });
