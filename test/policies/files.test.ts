import { environment } from './cel';
import { readPolicies } from './policy';

const files = readPolicies('policies');
const clock = readPolicies('clock-policy');
const mutating = readPolicies('policies/mutating');

describe.each(files.map((file) => [file.file, file] as const))('%s', (name, { policy, binding }) => {
  test('is named by its file, as the static manifests of an API server ask', () => {
    expect(policy.metadata.name).toBe(`${name}.macrack.static.k8s.io`);
  });

  test('denies through a binding in the same file, without a selector that a tenant could edit', () => {
    expect(binding).toEqual({
      apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: policy.metadata.name }, spec: { policyName: policy.metadata.name, validationActions: ['Deny'] },
    });
    expect(policy.spec.matchConstraints).toEqual({ matchPolicy: 'Equivalent', resourceRules: expect.anything() as unknown });
  });

  test('fails closed, for every version, without parameters', () => {
    expect(policy.spec).toMatchObject({ failurePolicy: 'Fail' });
    expect(policy.spec.paramKind).toBeUndefined();
    for (const rule of policy.spec.matchConstraints.resourceRules) expect(rule).toMatchObject({ apiVersions: ['*'], scope: '*' });
  });

  test('answers Forbidden, in the words of MacRack', () => {
    for (const { reason, message } of policy.spec.validations) expect([reason, message]).toEqual(['Forbidden', expect.stringMatching(/^macrack: \S/)]);
  });
});

test.each([...files, ...clock].map((file) => [file.file, file] as const))('the CEL of %s is portable: cel-js parses and checks it', (_name, { policy }) => {
  const { matchConditions = [], variables = [], validations } = policy.spec;
  const expressions = [...matchConditions, ...variables, ...validations].map(({ expression }) => expression);
  const messages = validations.flatMap(({ messageExpression }) => messageExpression ?? []);
  for (const expression of [...expressions, ...messages]) {
    const { valid, error } = environment().parse(expression).check();
    expect([expression, valid, error?.message]).toEqual([expression, true, undefined]);
  }
});

test('mutating policies stand apart, since their literals are beyond a portable evaluator', () => {
  expect(mutating.map(({ policy, binding }) => [policy.kind, binding.kind, binding.spec.policyName === policy.metadata.name])).toEqual(
    mutating.map(() => ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding', true]),
  );
  expect(mutating.map(({ file }) => file)).toEqual(['m1-node-taint', 'm2-vm-pod-tolerations']);
});
