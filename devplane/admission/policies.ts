import type { Environment } from '@marcbachmann/cel-js';
import { compileCel, environment, type Expression } from '../cel/environment';
import { toCel } from '../cel/values';
import type { ApiObject, Json, JsonObject } from '../json';
import { at, listAt, recordAt, textAt } from '../json';
import type { ResourceRegistry } from '../resources/registry';
import { storeKey } from '../resources/definition';
import { StatusError } from '../server/status-error';
import type { Store } from '../store/store';
import type { Attributes } from './attributes';
import { celContext } from './cel-context';
import { requestName, ruleMatches, subjectOf } from './match';

interface Validation {
  source: string;
  test: Expression;
  message: string;
  messageExpression: Expression | undefined;
  reason: string;
}

interface Policy {
  name: string;
  rules: Json[];
  excluded: Json[];
  isFailClosed: boolean;
  paramKind: JsonObject | undefined;
  conditions: { source: string; test: Expression }[];
  variables: { name: string; value: Expression }[];
  validations: Validation[];
}

interface Bound {
  policy: Policy;
  binding: string;
  paramName: string;
}

/** Codes that a validation's `reason` stands for; without one a denial is 422. */
const codes: Record<string, number> = { Invalid: 422, Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

const names = ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'variables'] as const;

function validationOf(env: Environment, source: Json, place: string): Validation {
  const expression = textAt(source, 'expression');
  const messageSource = textAt(source, 'messageExpression');
  return {
    source: expression, test: compileCel(env, expression, place), message: textAt(source, 'message'),
    messageExpression: messageSource ? compileCel(env, messageSource, place) : undefined, reason: textAt(source, 'reason') || 'Invalid',
  };
}

/** What the plane would silently not evaluate is refused at load. */
function assertEvaluable(policy: ApiObject): void {
  const { name } = policy.metadata;
  const constraints = recordAt(policy, 'spec', 'matchConstraints');
  for (const selector of ['namespaceSelector', 'objectSelector']) {
    if (Object.keys(recordAt(constraints, selector)).length > 0) throw new Error(`${name}: the development plane does not evaluate ${selector} of policies`);
  }
  if (listAt(policy, 'spec', 'auditAnnotations').length > 0) throw new Error(`${name}: the development plane does not evaluate auditAnnotations`);
}

function policyOf(env: Environment, policy: ApiObject): Policy {
  assertEvaluable(policy);
  const { name } = policy.metadata;
  const spec = recordAt(policy, 'spec');
  const paramKind = at(spec, 'paramKind');
  return {
    name, rules: listAt(spec, 'matchConstraints', 'resourceRules'), excluded: listAt(spec, 'matchConstraints', 'excludeResourceRules'),
    isFailClosed: textAt(spec, 'failurePolicy') !== 'Ignore', paramKind: paramKind === undefined ? undefined : recordAt(spec, 'paramKind'),
    conditions: listAt(spec, 'matchConditions').map((condition) => ({ source: textAt(condition, 'expression'), test: compileCel(env, textAt(condition, 'expression'), name) })),
    variables: listAt(spec, 'variables').map((variable) => ({ name: textAt(variable, 'name'), value: compileCel(env, textAt(variable, 'expression'), name) })),
    validations: listAt(spec, 'validations').map((validation) => validationOf(env, validation, name)),
  };
}

/** Kubernetes evaluates a variable when it is first read, once; an error in it is an error of the expression that reads it. */
function withVariables(policy: Policy, context: Record<string, unknown>): Record<string, unknown> {
  const variables = {};
  const whole = { ...context, variables };
  for (const { name, value } of policy.variables) {
    Object.defineProperty(variables, name, { enumerable: true, configurable: true, get: () => {
      const found = value(whole);
      Object.defineProperty(variables, name, { enumerable: true, value: found });
      return found;
    } });
  }
  return whole;
}

/**
 * The ValidatingAdmissionPolicies of a set of manifests, each in force from the start and for every user, as static ones are.
 * MutatingAdmissionPolicies are skipped, in writing: the CEL library cannot parse their object literals.
 */
export class PolicySet {
  readonly #bound: Bound[];

  constructor(manifests: ApiObject[], private readonly store: Store, private readonly resources: ResourceRegistry, log: (line: string) => void) {
    const env = environment(names);
    const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
    for (const { metadata } of ofKind('MutatingAdmissionPolicy')) log(`development plane: skipped MutatingAdmissionPolicy ${metadata.name}: mutating policies run on a real plane only`);
    const policies = ofKind('ValidatingAdmissionPolicy').map((policy) => policyOf(env, policy));
    this.#bound = ofKind('ValidatingAdmissionPolicyBinding').map((binding) => {
      const policy = policies.find(({ name }) => name === textAt(binding, 'spec', 'policyName'));
      if (!policy) throw new Error(`binding ${binding.metadata.name} names the policy ${textAt(binding, 'spec', 'policyName')}, which is not there`);
      if (!listAt(binding, 'spec', 'validationActions').includes('Deny')) throw new Error(`binding ${binding.metadata.name}: the development plane knows the action Deny only`);
      return { policy, binding: binding.metadata.name, paramName: textAt(binding, 'spec', 'paramRef', 'name') };
    });
  }

  /** How many bindings are in force. */
  get size(): number {
    return this.#bound.length;
  }

  /** @throws StatusError with the first denial */
  validate(attributes: Attributes): void {
    const applicable = this.#bound.filter(({ policy }) => policy.rules.some((rule) => ruleMatches(rule, attributes)) && !policy.excluded.some((rule) => ruleMatches(rule, attributes)));
    if (applicable.length === 0) return;
    const { call } = attributes;
    const namespace = call.namespace === undefined ? undefined : this.store.get('/namespaces', undefined, call.namespace);
    const context = { ...celContext(attributes), namespaceObject: toCel(namespace), params: null };
    for (const bound of applicable) this.#judge(bound, context, attributes);
  }

  #judge(bound: Bound, context: Record<string, unknown>, attributes: Attributes): void {
    const { policy } = bound;
    const deny = (message: string, reason: string) => {
      const text = `${subjectOf(attributes)} is forbidden: ValidatingAdmissionPolicy '${policy.name}' with binding '${bound.binding}' denied request: ${message}`;
      throw new StatusError(codes[reason] ?? 422, reason, text, { name: requestName(attributes) ?? '', kind: attributes.call.definition.resource, causes: [{ message }] });
    };
    const evaluate = ({ source, test }: { source: string; test: Expression }, whole: Record<string, unknown>): boolean => {
      try {
        return test(whole) === true;
      } catch (error) {
        if (policy.isFailClosed) deny(`expression '${source}' resulted in error: ${(error as Error).message.split('\n')[0]}`, 'Invalid');
        return true;
      }
    };
    if (!policy.conditions.every((condition) => evaluate(condition, withVariables(policy, context)))) return;
    const params = policy.paramKind && this.#param(bound);
    if (policy.paramKind && !params) deny('no params found for policy binding with Deny parameterNotFoundAction', 'Invalid');
    const whole = withVariables(policy, { ...context, params: toCel(params) });
    for (const validation of policy.validations) if (!evaluate(validation, whole)) deny(messageOf(validation, whole), validation.reason);
  }

  /** Cluster-scoped params by name: all that our policies use. */
  #param({ policy, paramName }: Bound): ApiObject | undefined {
    const [group = '', version = ''] = textAt(policy.paramKind, 'apiVersion').split('/');
    const definition = this.resources.all().find((candidate) => candidate.group === group && candidate.version === version && candidate.kind === textAt(policy.paramKind, 'kind'));
    return definition && this.store.get(storeKey(definition), undefined, paramName);
  }
}

function messageOf({ source, message, messageExpression }: Validation, context: Record<string, unknown>): string {
  try {
    const text = messageExpression?.(context);
    if (typeof text === 'string' && text.trim() !== '') return text;
  } catch {
    // As in Kubernetes, a failing messageExpression falls back to the message.
  }
  return message || `failed expression: ${source}`;
}
