import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { environment, toCel } from './cel';

export const deploy = resolve(__dirname, '../../deploy');

export interface ResourceRule { apiGroups: string[]; apiVersions: string[]; operations: string[]; resources: string[]; scope: string }
export interface Named { name: string; expression: string }
export interface Validation { reason: string; message: string; messageExpression?: string; expression: string }

export interface Policy {
  kind: string;
  metadata: { name: string };
  spec: {
    failurePolicy: string;
    paramKind?: { apiVersion: string; kind: string };
    matchConstraints: { matchPolicy: string; resourceRules: ResourceRule[]; namespaceSelector?: unknown; objectSelector?: unknown };
    matchConditions?: Named[];
    variables?: Named[];
    validations: Validation[];
  };
}

export interface Binding { kind: string; metadata: { name: string }; spec: { policyName: string; validationActions: string[]; paramRef?: unknown } }

/** A policy file: the policy and its binding, which stand in one file so that neither can be taken out alone. */
export interface PolicyFile { file: string; policy: Policy; binding: Binding }

export function readPolicies(folder: string): PolicyFile[] {
  const names = readdirSync(join(deploy, folder)).filter((name) => name.endsWith('.yaml')).sort();
  return names.map((name) => {
    const [policy, binding] = parseAllDocuments(readFileSync(join(deploy, folder, name), 'utf8')).map((document) => document.toJS() as unknown);
    return { file: name.replace('.yaml', ''), policy: policy as Policy, binding: binding as Binding };
  });
}

/** What a policy is asked; absent values are absent, as in Kubernetes. */
export interface AdmissionRequest {
  operation: 'CREATE' | 'UPDATE' | 'DELETE';
  group: string;
  resource: string;
  subResource?: string;
  namespace?: string;
  userInfo: { username: string; groups: string[] };
  options: Record<string, unknown>;
  object: Record<string, unknown> | null;
  oldObject: Record<string, unknown> | null;
}

export interface Answer {
  /** The policy is asked about this resource, and every matchCondition holds. */
  matched: boolean;
  /** Messages of the validations that do not hold, or their errors: failurePolicy Fail makes those a denial too. */
  denials: string[];
}

const has = (list: readonly string[], value: string) => list.includes('*') || list.includes(value);

export function ruleMatches(rule: ResourceRule, { operation, group, resource, subResource }: AdmissionRequest): boolean {
  return has(rule.operations, operation) && has(rule.apiGroups, group) && rule.resources.includes(subResource === undefined ? resource : `${resource}/${subResource}`);
}

// A variable that no validation reads is never evaluated, so its error denies nothing.
function lazily(variables: readonly Named[], base: Record<string, unknown>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const env = environment();
  for (const { name, expression } of variables) {
    Object.defineProperty(values, name, { enumerable: true, configurable: true, get: () => env.evaluate(expression, { ...base, variables: values }) as unknown });
  }
  return values;
}

function context(policy: Policy, request: AdmissionRequest, params: unknown): Record<string, unknown> {
  const { object, oldObject, ...attributes } = request;
  const base = { object: toCel(object), oldObject: toCel(oldObject), request: toCel(attributes), params: toCel(params) };
  return { ...base, variables: lazily(policy.spec.variables ?? [], base) };
}

/** Undefined if the expression holds; the text of an expression that fails is its error, which no case expects. */
function denial({ expression, message }: Validation, values: Record<string, unknown>): string | undefined {
  try {
    return environment().evaluate(expression, values) === true ? undefined : message;
  } catch (error) {
    return `error in ${expression}: ${String(error)}`;
  }
}

/** The answer of a policy, evaluated as Kubernetes does. An error in a matchCondition is thrown: none of the cases means one. */
export function ask(policy: Policy, request: AdmissionRequest, params: unknown = null): Answer {
  const values = context(policy, request, params);
  const inScope = policy.spec.matchConstraints.resourceRules.some((rule) => ruleMatches(rule, request));
  const matched = inScope && (policy.spec.matchConditions ?? []).every(({ expression }) => environment().evaluate(expression, values) === true);
  if (!matched) return { matched, denials: [] };
  return { matched, denials: policy.spec.validations.flatMap((validation) => denial(validation, values) ?? []) };
}

/** The text of a refusal that is computed. */
export function messageOf(policy: Policy, request: AdmissionRequest, params: unknown): string {
  const [validation] = policy.spec.validations;
  return String(environment().evaluate(validation?.messageExpression ?? '', context(policy, request, params)));
}
