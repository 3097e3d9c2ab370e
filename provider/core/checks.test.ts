import { UNKNOWN } from '../../sdk/rules/unknown';
import { checkInstance, type InstanceText } from './instance-check';
import { checkLease, type LeaseText } from './lease-check';
import { TERRAFORM } from './wording';

const lease: LeaseText = { namespace: null, name: 'ci', class: 'base', serial: null, minimumDuration: null, onEarlyRelease: null };
const instance: InstanceText = { namespace: null, name: 'vm', lease: 'team-a/ci', image: 'ghcr.io/acme/macos:15.1', shape: { cpu: 4, memory: '8Gi', disk: '100Gi' } };

describe('the inputs of a lease', () => {
  it('are right as they are in the documentation, and not judged while they are unknown', () => {
    expect(checkLease(lease)).toEqual([]);
    expect(checkLease({ namespace: UNKNOWN, name: UNKNOWN, class: UNKNOWN, serial: UNKNOWN, minimumDuration: UNKNOWN, onEarlyRelease: UNKNOWN })).toEqual([]);
  });

  it.each<[Partial<LeaseText>, string, string, RegExp]>([
    [{ class: 'ultra' }, 'class', 'InvalidValue', /base, pro, studio/],
    [{ minimumDuration: '1h' }, 'minimumDuration', 'FloorTooShort', /24h or more/],
    [{ minimumDuration: '9000h' }, 'minimumDuration', 'InvalidValue', /"8760h"/],
    [{ minimumDuration: '24' }, 'minimumDuration', 'InvalidValue', /whole hours/],
    [{ minimumDuration: '1d' }, 'minimumDuration', 'InvalidValue', /whole hours/],
    [{ name: '' }, 'name', 'InvalidValue', /1 to 58 characters/],
    [{ name: 'a'.repeat(59) }, 'name', 'InvalidValue', /1 to 58 characters/],
    [{ name: 'Ci' }, 'name', 'InvalidValue', /lower-case/],
    [{ namespace: 'Team A' }, 'namespace', 'InvalidValue', /lower-case/],
    [{ serial: 'c02 xyz' }, 'serial', 'InvalidValue', /letters and digits/],
    [{ onEarlyRelease: 'wait' }, 'onEarlyRelease', 'InvalidValue', /"hold"/],
  ])('%j: an error at %s (%s) that says what is allowed', (over, path, reason, allowed) => {
    const found = checkLease({ ...lease, ...over });
    expect(found).toMatchObject([{ severity: 'error', path, reason }]);
    expect(found[0]?.detail).toMatch(allowed);
  });

  it('are all judged, not only the first wrong one', () => {
    expect(checkLease({ ...lease, name: '', class: 'ultra', minimumDuration: '1h' })).toHaveLength(3);
  });
});

describe('the inputs of an instance', () => {
  it('are right as they are in the documentation, and not judged while they are unknown', () => {
    expect(checkInstance(instance, TERRAFORM)).toEqual([]);
    expect(checkInstance({ namespace: UNKNOWN, name: UNKNOWN, lease: UNKNOWN, image: UNKNOWN, shape: UNKNOWN }, TERRAFORM)).toEqual([]);
  });

  it.each<[Partial<InstanceText>, string, RegExp]>([
    [{ lease: 'ci' }, 'lease', /"namespace\/name"/],
    [{ image: 'not an image' }, 'image', /OCI reference/],
    [{ image: 'a'.repeat(501) }, 'image', /500 characters/],
    [{ shape: { cpu: 1.5, memory: '8Gi', disk: '100Gi' } }, 'shape.cpu', /whole number of cores/],
    [{ shape: { cpu: 4, memory: '8GiB', disk: '100Gi' } }, 'shape.memory', /Ki, Mi, Gi/],
    [{ shape: { cpu: 4, memory: '8Gi', disk: '0' } }, 'shape.disk', /above zero/],
  ])('%j: an error at %s that says what is allowed', (over, path, allowed) => {
    const found = checkInstance({ ...instance, ...over }, TERRAFORM);
    expect(found).toMatchObject([{ severity: 'error', path, reason: 'InvalidValue' }]);
    expect(found[0]?.detail).toMatch(allowed);
  });
});
