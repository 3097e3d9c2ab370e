import { HOUR_MS, Rig, START, TENANT, until } from '../../operator/testing/rig';
import { Kinds, type MacNodeLeaseSpec, type Reason } from '../../sdk/api';
import { formatInstant, instant } from '../../sdk/rules/instant';
import { describeLayer, notAsked, type Answer, type AskOf } from './table';

/** The reconcilers, on a plane in memory without schema, policy and webhook: objects are written as nobody would have let them through. */
let rig: Rig;
afterEach(() => rig.close());

const LEASE = 'ios';
const leaseRef = { namespace: TENANT, name: LEASE };
const instanceRef = (name: string) => ({ namespace: TENANT, name });
const phaseOf = (name: string) => rig.instance(name)?.status?.phase;

async function open(...serials: string[]): Promise<void> {
  rig = await Rig.open(...serials);
  await rig.operate();
}

async function bound(spec: Partial<MacNodeLeaseSpec> = {}): Promise<void> {
  await open('c02base1');
  await rig.createLease(LEASE, spec);
  await rig.untilLease(LEASE, 'Bound');
}

async function held(): Promise<void> {
  await bound();
  await rig.plane.patch(Kinds.MacNodeLease, leaseRef, { spec: { release: true } });
  await rig.untilLease(LEASE, 'Held');
}

/** Waits until the operator has said what becomes of an instance. */
async function answerOf(name: string): Promise<Answer> {
  await until(`instance ${name} is decided`, () => ['Running', 'Failed'].includes(phaseOf(name) ?? '') || rig.instance(name)?.status?.reason !== undefined);
  return phaseOf(name) === 'Running' ? [] : [rig.instance(name)?.status?.reason as Reason];
}

async function existing(name: string, phase: string): Promise<void> {
  await rig.createInstance(name);
  await rig.untilInstance(name, 'Running');
  if (phase === 'Stopped') await rig.plane.patch(Kinds.MacOSInstance, instanceRef(name), { spec: { running: false } });
  if (phase === 'Failed') {
    rig.macs[0]?.loseMachines();
    await rig.macs[0]?.report();
  }
  await rig.untilInstance(name, phase);
}

/** One that fails goes first: a lost Mac loses all that it runs. */
async function start(ask: AskOf<'start'>): Promise<Answer> {
  if (ask.lease === 'bound') await bound();
  else await open('c02base1');
  for (const { name, phase } of [...ask.existing].sort((x, y) => Number(y.phase === 'Failed') - Number(x.phase === 'Failed'))) await existing(name, phase);
  if (ask.lease === 'new') await rig.createLease(LEASE);
  for (const name of ask.starting) await rig.createInstance(name);
  await rig.untilLease(LEASE, 'Bound');
  await until('all are decided', () => ask.starting.every((name) => ['Running', 'Failed'].includes(phaseOf(name) ?? '')));
  return (await Promise.all(ask.starting.map(answerOf))).flat();
}

async function recreateNamespace(): Promise<void> {
  await rig.plane.remove(Kinds.Namespace, { name: TENANT });
  await rig.plane.create(Kinds.Namespace, { metadata: { name: TENANT } });
}

async function place({ lease }: AskOf<'place'>): Promise<Answer> {
  if (lease === 'held') await held();
  else await bound();
  if (lease === 'namespace-recreated') await recreateNamespace();
  await rig.createInstance('a', lease === 'absent' ? { leaseName: 'none' } : {});
  return answerOf('a');
}

async function identity({ shared }: AskOf<'identity'>): Promise<Answer> {
  await bound();
  const [mac] = rig.macs;
  if (mac !== undefined && shared !== 'nothing') {
    const own = mac.identity;
    mac.identity = (uid) => ({ ...own(uid), [shared]: own('shared')[shared] });
  }
  await existing('a', 'Running');
  await rig.createInstance('b');
  return answerOf('b');
}

/** A pin that cannot be had is not refused here, since the Mac may come free: it waits, in one text whatever the cause. */
async function pin({ serial, adopt }: AskOf<'new-lease'>): Promise<Answer> {
  if (adopt === true) return keep();
  await open('c02base1');
  if (serial === 'leased') {
    await rig.createLease('theirs', {}, 'tenant-b');
    await until('tenant B has it', () => rig.lease('theirs', 'tenant-b')?.status?.phase === 'Bound');
  }
  await rig.createLease(LEASE, serial === undefined ? {} : { serial: serial === 'absent' ? 'c02none' : 'c02base1' });
  await until('the lease is decided', () => rig.lease(LEASE)?.status?.message !== undefined || rig.lease(LEASE)?.status?.phase === 'Bound');
  return rig.lease(LEASE)?.status?.message?.includes('is not available now') === true ? ['SerialUnavailable'] : [];
}

async function keep(): Promise<Answer> {
  await held();
  await rig.plane.patch(Kinds.MacNodeLease, leaseRef, { spec: { release: false } });
  await rig.untilLease(LEASE, 'Bound');
  return [];
}

async function release({ afterMs, minimumDuration }: AskOf<'release'>): Promise<Answer> {
  await bound(minimumDuration === undefined ? {} : { minimumDuration });
  await rig.pass(afterMs);
  await rig.plane.patch(Kinds.MacNodeLease, leaseRef, { spec: { release: true } });
  await until('the release is answered', () => rig.lease(LEASE)?.status?.phase !== 'Bound');
  return rig.lease(LEASE)?.status?.phase === 'Held' ? ['EarlyRelease'] : [];
}

/** What somebody has written over the operator's status is put back, or stays. */
async function rewriteFloor({ how }: AskOf<'floor-rewrite'>): Promise<Answer> {
  await bound({ minimumDuration: '48h' });
  const shown = () => rig.lease(LEASE)?.status?.earliestReleaseAt;
  const hours = { 'earlier': 24, 'unset': undefined, 'under a day': 23, 'later': 72 }[how];
  const [before, written] = [shown(), hours === undefined ? null : formatInstant(instant(START + hours * HOUR_MS))];
  await rig.plane.patch(Kinds.MacNodeLease, leaseRef, { status: { earliestReleaseAt: written } }, { subresource: 'status' });
  if (how !== 'later') await until('the floor is put back', () => shown() === before);
  else await rig.pass(60_000);
  return shown() === before ? ['FloorTooShort'] : [];
}

describeLayer('operator', async (row) => {
  const { ask } = row;
  switch (ask.kind) {
    case 'start': return start(ask);
    case 'place': return place(ask);
    case 'identity': return identity(ask);
    case 'new-lease': return pin(ask);
    case 'release': return release(ask);
    case 'floor-rewrite': return rewriteFloor(ask);
    default: return notAsked(row);
  }
});
