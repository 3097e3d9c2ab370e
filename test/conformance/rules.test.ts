import * as rules from '../../sdk/rules';
import { describeLayer, type Answer } from './table';
import type { Ask, Existing } from './verdicts';

const boundAt = rules.parseInstant('2026-11-29T10:00:00Z');
const at = (afterMs: number): rules.Instant => rules.instant(boundAt + afterMs);

function lease(minimumDuration = '24h', phase = 'Bound'): rules.LeaseFacts {
  return { namespace: 'tenant-a', name: 'l', serial: 'c02base1', phase, earliestReleaseAt: rules.instant(boundAt + rules.floorOf(minimumDuration)) };
}

const holder = (name: string, state: string): rules.Holder => ({ namespace: 'tenant-a', name, state });
const existingHolder = ({ name, phase }: Existing): rules.Holder => holder(name, phase);

function placement(ask: Extract<Ask, { kind: 'place' }>): rules.PlacementFacts {
  const own = ask.lease !== 'foreign';
  return {
    instance: { namespace: own ? 'tenant-a' : 'tenant-b', name: 'vm', namespaceUID: ask.lease === 'namespace-recreated' ? 'uid-2' : 'uid-1' },
    leaseRef: { namespace: 'tenant-a', name: 'l' },
    lease: ask.lease === 'absent' ? null : { phase: ask.lease === 'held' ? 'Held' : 'Bound', namespaceUID: 'uid-1' },
  };
}

function newLease(ask: Extract<Ask, { kind: 'new-lease' }>): rules.Verdict {
  const existing = ask.name === 'held' ? { ...lease('24h', 'Held'), class: 'base', keepable: true } : null;
  return rules.both(
    rules.judgeMinimumDuration(ask.minimumDuration ?? '24h'),
    ask.serial === undefined ? rules.ALLOWED : rules.judgeSerial({ serial: 'c02base1', available: ask.serial === 'free' }),
    rules.judgeName({ namespace: 'tenant-a', name: 'l', class: 'base', adopt: ask.adopt ?? false, existing, now: at(0) }),
  );
}

function change(ask: Extract<Ask, { kind: 'change' }>): rules.Verdict {
  const inputs: rules.LeaseInputs = { namespace: 'tenant-a', name: 'l', class: 'base', serial: null, minimumDuration: '24h' };
  const minimum = ask.field === 'minimumDuration' ? ask.from : '24h';
  return rules.judgeLeaseChange({ lease: lease(minimum, ask.phase), prior: { ...inputs, [ask.field]: ask.from }, next: { ...inputs, [ask.field]: ask.to }, now: at(ask.afterMs) });
}

function shapes(fits: boolean): rules.Verdict {
  const GiB = 2 ** 30;
  const half = { cpu: 4, memory: 8 * GiB, disk: 128 * GiB };
  return rules.judgeShape({ lease: 'tenant-a/l', class: 'base', chassis: { cpu: 8, memory: 16 * GiB, disk: 256 * GiB }, shapes: [half, { ...half, memory: fits ? half.memory : half.memory + GiB }] });
}

function identity(shared: 'machineID' | 'mac' | 'nothing'): rules.Verdict {
  const candidate = { instance: 'b', machineID: 'id-b', mac: '02:00:00:00:00:0b' };
  const other = { instance: 'a', machineID: shared === 'machineID' ? candidate.machineID : 'id-a', mac: shared === 'mac' ? candidate.mac : '02:00:00:00:00:0a' };
  return rules.judgeIdentity({ candidate, known: [other] });
}

function judge(ask: Ask): rules.Verdict {
  switch (ask.kind) {
    case 'start': return rules.judgeStart({ lease: { namespace: 'tenant-a', name: 'l' }, serial: 'c02base1', holders: ask.existing.map(existingHolder), starting: ask.starting.map((n) => holder(n, 'declared')), now: at(0) });
    case 'place': return rules.judgePlacement(placement(ask));
    case 'identity': return identity(ask.shared);
    case 'shape': return shapes(ask.fits);
    case 'new-lease': return newLease(ask);
    case 'release': return rules.judgeRelease({ lease: lease(ask.minimumDuration), onEarlyRelease: ask.onEarlyRelease ?? 'refuse', cause: 'destroyed', replacement: false, now: at(ask.afterMs) });
    case 'change': return change(ask);
    case 'floor-rewrite':
    case 'leaked-slot': throw new Error('rules store and count nothing');
  }
}

describeLayer('rules', (row): Answer => {
  const verdict = judge(row.ask);
  expect(verdict.undetermined).toEqual([]);
  return verdict.refusals.map((refusal) => refusal.reason);
});
