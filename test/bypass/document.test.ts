import { resolve } from 'node:path';
import { regenerated } from './document';
import { policyRows } from './policy-rows';
import { refused } from './table';

const root = resolve(__dirname, '..', '..');
const rows = policyRows(resolve(root, 'deploy'));

test('docs/security.md has the tables of attacks and policies as they are: npm run generate:security', () => {
  const { now, ought } = regenerated(root);
  expect(now).toBe(ought);
});

/** Whoever may impersonate anybody may be any user that a rule exempts: these have none. */
test.each([
  'p1-node-capacity', 'p5c-vm-pod-eviction', 'p7b-claim-floor', 'p8a-admission-objects', 'p8b-crds', 'p8c-api-services', 'p8f-token-secrets', 'p8g-rbac', 'p8h-controller-pods', 'release-floor',
])('%s has no exempt user', (policy) => {
  const of = rows.filter((row) => row.policy === policy);
  expect(of.length).toBeGreaterThan(0);
  expect(of.map(({ holdsAgainst }) => holdsAgainst)).toEqual(of.map(() => 'anyone'));
});

test('each validating policy stands in the way of an attack of the table, which gets through without it', () => {
  const policies = new Set(rows.map(({ policy }) => policy).filter((policy) => /^p\d/.test(policy)));
  expect(new Set(refused.map(({ by }) => by).filter((by) => /^p\d/.test(by)))).toEqual(policies);
});
