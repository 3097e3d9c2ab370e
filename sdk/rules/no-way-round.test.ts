import fc from 'fast-check';
import { floorOf } from './duration';
import { formatInstant, instant, type Instant } from './instant';
import { judgeLeaseChange, replacedBy, type LeaseInputs } from './judge-lease-change';
import { judgePlacement } from './judge-placement';
import { judgeRelease, type OnEarlyRelease } from './judge-release';
import { judgeStart, type Holder } from './judge-start';
import { judgeSerial } from './judge-capacity';
import { FLOOR_MS, INSTANCES_PER_CHASSIS } from './limits';
import { isAllowed } from './verdict';

interface Lease { inputs: LeaseInputs; readonly boundAt: Instant; minimum: string; phase: 'Bound' | 'Held'; readonly serial: string; onEarlyRelease: OnEarlyRelease }
interface Machine { readonly serial: string; readonly tenant: string; readonly name: string; state: 'Running' | 'Stopped' | 'Failed' }
interface World { now: Instant; readonly leases: Map<string, Lease>; machines: Machine[]; readonly ended: { readonly boundAt: Instant; readonly at: Instant }[] }

const TENANTS = ['team-a', 'team-b'] as const;
const SERIALS = ['mac1', 'mac2'] as const;

const tenant = fc.constantFrom(...TENANTS);
const serial = fc.constantFrom(...SERIALS);
const step = fc.oneof(
  fc.record({ kind: fc.constant('lease' as const), tenant, serial, minimum: fc.constantFrom('24h', '48h'), onEarlyRelease: fc.constantFrom('refuse' as const, 'hold' as const) }),
  fc.record({ kind: fc.constant('start' as const), tenant, serial, name: fc.constantFrom('a', 'b', 'c', 'd') }),
  fc.record({ kind: fc.constant('state' as const), serial, name: fc.constantFrom('a', 'b', 'c', 'd'), state: fc.constantFrom('Running' as const, 'Stopped' as const, 'Failed' as const) }),
  fc.record({ kind: fc.constant('delete' as const), serial, name: fc.constantFrom('a', 'b', 'c', 'd') }),
  fc.record({ kind: fc.constant('release' as const), serial, replacement: fc.boolean() }),
  fc.record({ kind: fc.constant('change' as const), serial, field: fc.constantFrom('class' as const, 'minimumDuration' as const), value: fc.constantFrom('base', 'pro', '24h', '48h', '72h') }),
  fc.record({ kind: fc.constant('wait' as const), milliseconds: fc.oneof(fc.constantFrom(1, FLOOR_MS - 1, FLOOR_MS, 2 * FLOOR_MS), fc.integer({ min: 0, max: 3 * FLOOR_MS })) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const floor = (lease: Lease): Instant => instant(lease.boundAt + floorOf(lease.minimum));
const factsOf = (lease: Lease) => ({ namespace: String(lease.inputs.namespace), name: lease.serial, serial: lease.serial, phase: lease.phase, earliestReleaseAt: floor(lease) });

function end(world: World, lease: Lease): void {
  world.ended.push({ boundAt: lease.boundAt, at: world.now });
  world.leases.delete(lease.serial);
  world.machines = world.machines.filter((m) => m.serial !== lease.serial);
}

function lease(world: World, { tenant: namespace, serial: mac, minimum, onEarlyRelease }: Extract<Step, { kind: 'lease' }>): void {
  if (!isAllowed(judgeSerial({ serial: mac, available: !world.leases.has(mac) }))) return;
  const inputs = { namespace, name: mac, class: 'base', serial: mac, minimumDuration: minimum };
  world.leases.set(mac, { inputs, boundAt: world.now, minimum, phase: 'Bound', serial: mac, onEarlyRelease });
}

function start(world: World, { tenant: namespace, serial: mac, name }: Extract<Step, { kind: 'start' }>): void {
  const found = world.leases.get(mac);
  const leaseRef = { namespace: String(found?.inputs.namespace ?? namespace), name: mac };
  const place = judgePlacement({ instance: { namespace, name, namespaceUID: namespace }, leaseRef, lease: found === undefined ? null : { phase: found.phase, namespaceUID: String(found.inputs.namespace) } });
  const holders = world.machines.filter((m) => m.serial === mac).map((m): Holder => ({ namespace: m.tenant, name: m.name, state: m.state }));
  const room = judgeStart({ lease: leaseRef, serial: mac, holders, starting: [{ namespace, name, state: 'declared' }], now: world.now });
  if (!isAllowed(place) || !isAllowed(room)) return;
  world.machines = [...world.machines.filter((m) => m.serial !== mac || m.name !== name), { serial: mac, tenant: namespace, name, state: 'Running' }];
}

function release(world: World, found: Lease, replacement: boolean): void {
  const verdict = judgeRelease({ lease: factsOf(found), onEarlyRelease: found.onEarlyRelease, cause: 'destroyed', replacement, now: world.now });
  if (!isAllowed(verdict)) return;
  if (world.now >= floor(found)) end(world, found);
  else found.phase = 'Held';
}

function change(world: World, found: Lease, field: 'class' | 'minimumDuration', value: string): void {
  const next = { ...found.inputs, [field]: value };
  const facts = { lease: factsOf(found), prior: found.inputs, next, now: world.now };
  if (!isAllowed(judgeLeaseChange(facts))) return;
  if (replacedBy(facts).length > 0) end(world, found);
  else Object.assign(found, { inputs: next, minimum: String(next.minimumDuration) });
}

// A Failed machine stays failed: nothing of the rules starts it again.
function setState(world: World, { serial: mac, name, state }: Extract<Step, { kind: 'state' }>): void {
  const machine = world.machines.find((m) => m.serial === mac && m.name === name);
  if (machine !== undefined && machine.state !== 'Failed') machine.state = state;
}

function apply(world: World, s: Step): void {
  const found = 'serial' in s ? world.leases.get(s.serial) : undefined;
  switch (s.kind) {
    case 'lease': return lease(world, s);
    case 'start': return start(world, s);
    case 'state': return setState(world, s);
    case 'delete': world.machines = world.machines.filter((m) => m.serial !== s.serial || m.name !== s.name); return;
    case 'release': if (found !== undefined) release(world, found, s.replacement); return;
    case 'change': if (found !== undefined) change(world, found, s.field, s.value); return;
    case 'wait':
      world.now = instant(world.now + s.milliseconds);
      for (const held of [...world.leases.values()].filter((l) => l.phase === 'Held' && world.now >= floor(l))) end(world, held);
  }
}

describe('no sequence of allowed steps', () => {
  it('reaches three machines on a Mac, two tenants on a Mac, or a release before the floor', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const world: World = { now: instant(0), leases: new Map(), machines: [], ended: [] };
      for (const s of steps) {
        apply(world, s);
        for (const mac of SERIALS) {
          const alive = world.machines.filter((m) => m.serial === mac && m.state !== 'Failed');
          expect(alive.length).toBeLessThanOrEqual(INSTANCES_PER_CHASSIS);
          expect(new Set(world.machines.filter((m) => m.serial === mac).map((m) => m.tenant)).size).toBeLessThanOrEqual(1);
        }
        for (const { boundAt, at } of world.ended) expect(at - boundAt).toBeGreaterThanOrEqual(FLOOR_MS);
      }
    }), { numRuns: 500 });
  });

  it('makes a floor end earlier', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const world: World = { now: instant(0), leases: new Map(), machines: [], ended: [] };
      for (const s of steps) {
        const before = new Map([...world.leases].map(([mac, l]) => [mac, { bound: l.boundAt, floor: floor(l) }]));
        apply(world, s);
        for (const [mac, l] of world.leases) {
          const was = before.get(mac);
          if (was?.bound === l.boundAt && was.floor > world.now) expect(formatInstant(floor(l)) >= formatInstant(was.floor)).toBe(true);
        }
      }
    }), { numRuns: 300 });
  });
});
