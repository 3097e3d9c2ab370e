import type { CelRule } from '../cel';
import type { JsonSchema } from './json-schema';

const LONGEST_MESSAGE = 2048;

function rulesOf(schema: JsonSchema): readonly CelRule[] {
  return schema['x-kubernetes-validations'] ?? [];
}

function isTransition({ rule }: CelRule): boolean {
  return /\boldSelf\b/.test(rule);
}

/** A property that is there in every stored object once it has been there: required, or kept by a rule of its parent. */
function isKept(parent: JsonSchema, name: string): boolean {
  const guard = `!has(oldSelf.${name}) || has(self.${name})`;
  return parent.required?.includes(name) === true || rulesOf(parent).some(({ rule }) => rule === guard);
}

function textFaults(schema: JsonSchema): string[] {
  return rulesOf(schema).flatMap(({ rule, message }) => [
    ...(rule.trim() === '' || /[\r\n]/.test(rule) ? [`rule ${JSON.stringify(rule)} is one line that is not empty`] : []),
    ...(/[\r\n]/.test(message) || message.length > LONGEST_MESSAGE ? [`message ${JSON.stringify(message)} is one line of at most ${LONGEST_MESSAGE} characters`] : []),
    ...(message.startsWith('macrack: ') ? [] : [`message ${JSON.stringify(message)} begins with "macrack: "`]),
  ]);
}

function* walk(schema: JsonSchema, path: string, kept: boolean): Generator<string> {
  for (const fault of textFaults(schema)) yield `${path}: ${fault}`;
  if (!kept) for (const { rule } of rulesOf(schema).filter(isTransition)) yield `${path}: a value that may be unset has the transition rule "${rule}": unset, then set would pass it; put it on the parent`;
  for (const [name, property] of Object.entries(schema.properties ?? {})) yield* walk(property, `${path}.${name}`, kept && isKept(schema, name));
  if (schema.items !== undefined) yield* walk(schema.items, `${path}[]`, false);
  if (typeof schema.additionalProperties === 'object') yield* walk(schema.additionalProperties, `${path}{}`, false);
}

/** Faults in where rules stand and how they read. The server skips a transition rule where there is no old value to compare with. */
export function celFaults(root: JsonSchema): string[] {
  return [...walk(root, '', true)];
}
