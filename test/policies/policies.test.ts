import type { PolicyCases } from './cases/case';
import { clusterCases } from './cases/cluster';
import { leaseCases, planeCases } from './cases/leases';
import { nodeCases } from './cases/nodes';
import { podCases } from './cases/pods';
import { type AdmissionRequest, ask, type Policy, readPolicies, ruleMatches } from './policy';

const table = [...nodeCases, ...podCases, ...leaseCases, ...planeCases, ...clusterCases];
const policies = new Map(readPolicies('policies').map(({ file, policy }) => [file, policy]));

function policyOf({ policy: file }: PolicyCases): Policy {
  const policy = policies.get(file);
  if (policy === undefined) throw new Error(`deploy/policies/${file}.yaml is missing`);
  return policy;
}

/** Subresources that the server never creates or deletes, though a rule names the operation for its resource. */
function isReal(operation: string, resource: string): boolean {
  return !/\/(status|ephemeralcontainers|resize)$/.test(resource) || operation === 'UPDATE';
}

function* reach(policy: Policy): Generator<[operation: string, group: string, resource: string]> {
  for (const { operations, apiGroups, resources } of policy.spec.matchConstraints.resourceRules) {
    for (const operation of operations) for (const group of apiGroups) for (const resource of resources) if (isReal(operation, resource)) yield [operation, group, resource];
  }
}

const isAt = (request: AdmissionRequest, [operation, group, resource]: readonly string[]) =>
  request.operation === operation && request.group === group && resource === (request.subResource === undefined ? request.resource : `${request.resource}/${request.subResource}`);

test('every policy has cases, and every case a policy', () => {
  expect(table.map(({ policy }) => policy).sort()).toEqual([...policies.keys()]);
});

describe.each(table.map((cases) => [cases.policy, cases] as const))('%s', (_name, cases) => {
  const policy = policyOf(cases);

  const allowed = Object.entries(cases.allowed);
  // A policy that always refuses whom it is asked about has no such case.
  if (allowed.length > 0) {
    test.each(allowed)('allows: %s', (_sentence, request) => {
      expect(ask(policy, request).denials).toEqual([]);
    });
  }

  test.each(cases.refused.map((row) => [row.sentence, row] as const))('refuses: %s, by one rule alone', (_sentence, { by, request }) => {
    const { matched, denials } = ask(policy, request);
    expect({ matched, denials }).toEqual({ matched: true, denials: [expect.stringContaining(by)] });
  });

  test('each of its rules has a request that only this rule refuses', () => {
    const proved = policy.spec.validations.map(({ message }) => cases.refused.filter(({ by }) => message.includes(by)).length > 0);
    expect(proved).not.toContain(false);
    for (const { by } of cases.refused) expect(policy.spec.validations.filter(({ message }) => message.includes(by))).toHaveLength(1);
  });

  test('each operation on each resource it names is refused once', () => {
    for (const place of reach(policy)) expect([place, cases.refused.some(({ request }) => isAt(request, place))]).toEqual([place, true]);
  });

  test('each of its conditions spares a request that its rules would refuse', () => {
    const spared = Object.values(cases.spared ?? {});
    expect(spared.length > 0).toBe((policy.spec.matchConditions ?? []).length > 0);
    const { matchConditions: _without, ...spec } = policy.spec;
    for (const request of spared) {
      expect(policy.spec.matchConstraints.resourceRules.some((rule) => ruleMatches(rule, request))).toBe(true);
      expect(ask(policy, request)).toEqual({ matched: false, denials: [] });
      expect(ask({ ...policy, spec }, request).denials).not.toEqual([]);
    }
  });
});
