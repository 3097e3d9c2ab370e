import { changedFields } from './difference';
import { instanceProps, leaseProps, startProvider } from '../testing/provider-process';

const GUID = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
const { lease, instance } = startProvider();

const LEASE = leaseProps({ namespace: 'team-a', minimumDuration: '24h', onEarlyRelease: 'refuse', leaseId: 'team-a/l1' });
const LEASE_STATE = { ...LEASE, uid: 'u', phase: 'Bound', chassis: 'c02xyz', earliestReleaseAt: '2026-11-30T10:00:00Z' };
const INSTANCE = instanceProps('a', { namespace: 'team-a', running: true });
const INSTANCE_STATE = { ...INSTANCE, uid: 'u', phase: 'Running', slot: 0 };

describe('the difference of a lease', () => {
  it('is none between its state and the same inputs, whatever the server has reported', () => {
    expect(lease.diff('team-a/l1', LEASE_STATE, { ...LEASE, serial: null })).toEqual({ changes: false, replaces: [], deleteBeforeReplace: true });
  });

  it.each([['namespace', 'team-b'], ['name', 'l2'], ['class', 'pro'], ['serial', 'c02abc']])('replaces it, delete first, for another %s', (field, value) => {
    expect(lease.diff('team-a/l1', LEASE_STATE, { ...LEASE, [field]: value })).toEqual({ changes: true, replaces: [field], deleteBeforeReplace: true });
  });

  it('replaces it for a lower minimum, and updates it for a higher one', () => {
    const state = { ...LEASE_STATE, minimumDuration: '48h' };
    expect(lease.diff('team-a/l1', state, { ...LEASE, minimumDuration: '24h' })).toMatchObject({ changes: true, replaces: ['minimumDuration'] });
    expect(lease.diff('team-a/l1', state, { ...LEASE, minimumDuration: '72h' })).toMatchObject({ changes: true, replaces: [] });
  });

  it.each([['onEarlyRelease', 'hold'], ['adopt', true], ['timeouts', { create: '1m' }], ['statusInDiff', true], ['owner', 'acme/urn:pulumi:dev::demo::x::renamed']])('updates it for another %s', (field, value) => {
    expect(lease.diff('team-a/l1', LEASE_STATE, { ...LEASE, [field]: value })).toMatchObject({ changes: true, replaces: [] });
  });

  it('is a moved phase where both sides have observed one, and no moved instant', () => {
    const seen = (phase: string, earliestReleaseAt: string): object => ({ observed: { phase, earliestReleaseAt }, statusInDiff: true });
    const state = { ...LEASE_STATE, ...seen('Bound', '2026-11-30T10:00:00Z') };
    expect(lease.diff('team-a/l1', state, { ...LEASE, ...seen('Held', '2026-11-30T10:00:00Z') })).toMatchObject({ changes: true, replaces: [] });
    expect(lease.diff('team-a/l1', state, { ...LEASE, ...seen('Bound', '2026-12-24T10:00:00Z') })).toMatchObject({ changes: false });
    expect(lease.diff('team-a/l1', state, { ...LEASE, statusInDiff: true })).toMatchObject({ changes: false });
    expect(lease.diff('team-a/l1', { ...LEASE_STATE, statusInDiff: true }, { ...LEASE, ...seen('Bound', '2026-11-30T10:00:00Z') })).toMatchObject({ changes: false });
  });
});

describe('a Held lease that the check has announced to be taken back', () => {
  const [FIRST, SECOND] = ['Held since 2026-11-29T20:00:00Z', 'Held since 2026-11-30T08:00:00Z'];

  it('is an update, once for each time that it was Held', () => {
    expect(lease.diff('team-a/l1', LEASE_STATE, { ...LEASE, keptAgain: FIRST })).toMatchObject({ changes: true, replaces: [] });
    expect(lease.diff('team-a/l1', { ...LEASE_STATE, keptAgain: FIRST }, { ...LEASE, keptAgain: FIRST })).toMatchObject({ changes: false });
    expect(lease.diff('team-a/l1', { ...LEASE_STATE, keptAgain: FIRST }, { ...LEASE, keptAgain: SECOND })).toMatchObject({ changes: true, replaces: [] });
  });

  it('is no difference where only the state has it', () => {
    expect(lease.diff('team-a/l1', { ...LEASE_STATE, keptAgain: FIRST }, LEASE)).toMatchObject({ changes: false });
  });
});

describe('the difference of an instance', () => {
  it('is none between its state and the same inputs', () => {
    expect(instance.diff('team-a/a', INSTANCE_STATE, INSTANCE)).toEqual({ changes: false, replaces: [], deleteBeforeReplace: true });
  });

  it.each([['namespace', 'team-b'], ['name', 'b'], ['lease', 'team-a/l2'], ['image', 'acme/macos:16'], ['shape', { cpu: 2, memory: '8Gi', disk: '100Gi' }]])('replaces it, delete first, for another %s', (field, value) => {
    expect(instance.diff('team-a/a', INSTANCE_STATE, { ...INSTANCE, [field]: value })).toEqual({ changes: true, replaces: [field], deleteBeforeReplace: true });
  });

  it.each([['running', false], ['awaitIp', true], ['timeouts', { delete: '1m' }], ['owner', 'acme/urn:pulumi:dev::demo::x::renamed']])('updates it for another %s', (field, value) => {
    expect(instance.diff('team-a/a', INSTANCE_STATE, { ...INSTANCE, [field]: value })).toMatchObject({ changes: true, replaces: [] });
  });
});

describe('a difference', () => {
  it.each(['namespace', 'name', 'class', 'serial', 'minimumDuration', 'onEarlyRelease', 'adopt', 'owner'])('counts an unknown %s of a lease as changed', (field) => {
    expect(lease.diff('team-a/l1', LEASE_STATE, { ...LEASE, [field]: GUID }).changes).toBe(true);
  });

  it.each(['namespace', 'name', 'lease', 'image', 'shape', 'running', 'awaitIp', 'owner'])('counts an unknown %s of an instance as changed', (field) => {
    expect(instance.diff('team-a/a', INSTANCE_STATE, { ...INSTANCE, [field]: GUID }).changes).toBe(true);
  });

  it('counts a shape with an unknown part as changed', () => {
    expect(instance.diff('team-a/a', INSTANCE_STATE, { ...INSTANCE, shape: { cpu: 4, memory: GUID, disk: '100Gi' } })).toMatchObject({ replaces: ['shape'] });
  });

  it('is asked with its arguments exchanged by a refresh, and throws for nothing', () => {
    const states = [{}, LEASE, LEASE_STATE, INSTANCE, INSTANCE_STATE, { ...LEASE, minimumDuration: GUID, observed: null }, { ...INSTANCE, shape: null, timeouts: 3 }];
    for (const one of states) {
      for (const other of states) {
        expect(typeof lease.diff('', one, other).changes).toBe('boolean');
        expect(typeof instance.diff('', one, other).changes).toBe('boolean');
      }
    }
    expect(lease.diff('team-a/l1', LEASE, LEASE_STATE)).toMatchObject({ changes: false, replaces: [] });
  });

  it('takes null, undefined and nothing for the same', () => {
    expect(changedFields({ a: null, c: undefined }, { b: null, c: null }, ['a', 'b', 'c'])).toEqual([]);
    expect(changedFields({ a: false }, { a: null }, ['a'])).toEqual(['a']);
  });
});
