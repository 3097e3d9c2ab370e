import type { Environment } from '@marcbachmann/cel-js';
import { compileCel, environment, type Expression } from '../cel/environment';
import { toCel } from '../cel/values';
import type { Json } from '../json';
import { isEqual, isRecord } from '../json';
import type { Cause } from './cause';
import type { Schema, ValidationRule } from './schema';

type IsFaulty = (path: string) => boolean;
type Judge = (value: Json, old: Json | undefined, path: string, isFaulty: IsFaulty) => Cause[];

const words: Record<Cause['reason'], string | undefined> = {
  FieldValueForbidden: 'Forbidden', FieldValueRequired: 'Required value', FieldValueDuplicate: 'Duplicate value', FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: undefined, FieldValueTypeInvalid: undefined, FieldValueTooLong: undefined, FieldValueTooMany: undefined,
};

function causeOf({ reason = 'FieldValueInvalid', fieldPath = '' }: ValidationRule, path: string, value: Json, message: string): Cause {
  const field = `${path}${fieldPath}`.replace(/^\./, '');
  // Objects and lists are not shown.
  const isShown = (reason === 'FieldValueInvalid' || reason === 'FieldValueDuplicate') && (typeof value !== 'object' || value === null);
  const shown = isShown ? `${JSON.stringify(value)}: ` : '';
  return { reason, field, message: `${words[reason]}: ${shown}${message}` };
}

/** The server falls back to `message`, then to the rule itself, when a messageExpression fails. */
function messageOf(rule: ValidationRule, expression: Expression | undefined, context: Record<string, unknown>): string {
  try {
    const text = expression?.(context);
    if (typeof text === 'string' && text !== '') return text;
  } catch {
    // As in Kubernetes, a failing messageExpression is no failure of the rule.
  }
  return rule.message ?? `failed rule: ${rule.rule}`;
}

function compileRule(env: Environment, rule: ValidationRule, schema: Schema, place: string): Judge {
  const test = compileCel(env, rule.rule, place);
  const message = rule.messageExpression === undefined ? undefined : compileCel(env, rule.messageExpression, place);
  const isTransition = /\boldSelf\b/.test(rule.rule);
  return (value, old, path, isFaulty) => {
    // A transition rule has nothing to say where there is no comparable old value.
    if ((isTransition && old === undefined) || isFaulty(path)) return [];
    const context = { self: toCel(value, schema), oldSelf: old === undefined ? null : toCel(old, schema) };
    try {
      return test(context) === true ? [] : [causeOf(rule, path, value, messageOf(rule, message, context))];
    } catch (error) {
      return [causeOf({ rule: rule.rule }, path, value, `rule evaluation error: ${(error as Error).message.split('\n')[0]}`)];
    }
  };
}

/** The old value of a list item: found by its map keys; items of other lists have none. */
function oldItem(item: Json, old: Json | undefined, schema: Schema): Json | undefined {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys || !Array.isArray(old)) return undefined;
  return old.find((candidate) => isRecord(candidate) && isRecord(item) && keys.every((key) => isEqual(candidate[key], item[key])));
}

function compileNode(env: Environment, schema: Schema, place: string): Judge | undefined {
  const own = (schema['x-kubernetes-validations'] ?? []).map((rule) => compileRule(env, rule, schema, place));
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const judge = compileNode(env, member, `${place}.${name}`);
    return judge ? [{ name, judge }] : [];
  });
  const rest = typeof schema.additionalProperties === 'object' ? compileNode(env, schema.additionalProperties, `${place}.*`) : undefined;
  const items = schema.items && compileNode(env, schema.items, `${place}[]`);
  if (own.length + members.length === 0 && !rest && !items) return undefined;
  return (value, old, path, isFaulty) => {
    const faults = own.flatMap((judge) => judge(value, old, path, isFaulty));
    if (Array.isArray(value)) return faults.concat(items ? value.flatMap((item, index) => items(item, oldItem(item, old, schema), `${path}[${index}]`, isFaulty)) : []);
    if (!isRecord(value)) return faults;
    const judged = rest ? Object.keys(value).map((name) => ({ name, judge: rest })) : members;
    return faults.concat(judged.flatMap(({ name, judge }) => {
      const member = value[name];
      const was = isRecord(old) ? old[name] : undefined;
      return member === undefined || member === null ? [] : judge(member, was ?? undefined, path ? `${path}.${name}` : name, isFaulty);
    }));
  };
}

/** The `x-kubernetes-validations` of a whole schema, compiled. @throws Error for an expression that does not compile */
export function compileRules(schema: Schema, place: string): (object: Json, old: Json | undefined, isFaulty: IsFaulty) => Cause[] {
  const judge = compileNode(environment(['self', 'oldSelf']), schema, place);
  return (object, old, isFaulty) => judge?.(object, old, '', isFaulty) ?? [];
}
