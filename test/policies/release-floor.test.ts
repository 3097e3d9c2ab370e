import { ask, messageOf, readPolicies } from './policy';
import { onOurs } from './requests';

const [file] = readPolicies('clock-policy');
if (file === undefined) throw new Error('deploy/clock-policy holds no policy');
const { policy, binding } = file;

const clockAt = (creationTimestamp: string) => ({ metadata: { name: 'clock', creationTimestamp } });
const release = (minimumDuration: string) => onOurs('macnodebindings', { operation: 'DELETE', oldObject: { metadata: { name: 'c02a', creationTimestamp: '2026-11-30T10:00:00Z' }, spec: { minimumDuration } } });

test('a claim is deleted from its floor on', () => {
  expect(ask(policy, release('24h'), clockAt('2026-12-01T10:00:00Z'))).toEqual({ matched: true, denials: [] });
});

test('a claim is not deleted a second before its floor', () => {
  expect(ask(policy, release('24h'), clockAt('2026-12-01T09:59:59Z')).denials).toHaveLength(1);
});

test('a longer floor is kept', () => {
  expect(ask(policy, release('48h'), clockAt('2026-12-01T10:00:00Z')).denials).toHaveLength(1);
});

test('the refusal names the claim, the end of the floor and the time that is left', () => {
  expect(messageOf(policy, release('24h'), clockAt('2026-12-01T09:00:00Z'))).toBe('macrack: claim c02a is held until 2026-12-01T10:00:00Z (3600s to go)');
});

test('without a Clock nobody releases', () => {
  expect(policy.spec.paramKind).toEqual({ apiVersion: 'macrack.io/v1', kind: 'Clock' });
  expect(binding.spec).toEqual({ policyName: 'release-floor.macrack.io', validationActions: ['Deny'], paramRef: { name: 'clock', parameterNotFoundAction: 'Deny' } });
});
