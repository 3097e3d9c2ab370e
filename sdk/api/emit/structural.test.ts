import { z } from 'zod';
import { cel, setOnce } from '../cel';
import { type JsonSchema, toJsonSchema } from './json-schema';
import { structuralFaults } from './structural';

const root = (spec: JsonSchema, more: Partial<JsonSchema> = {}): JsonSchema => ({ type: 'object', properties: { metadata: { type: 'object' }, spec }, required: ['spec'], ...more });
const faultsOf = (type: z.ZodType) => structuralFaults(root(toJsonSchema(type)));
const text = z.string().max(10);

test('a plain bounded object is structural', () => {
  expect(faultsOf(z.object({ a: text, b: z.int(), c: z.array(text).max(2), d: z.enum(['x', 'y']).default('x') }))).toEqual([]);
});

test.each<readonly [string, z.ZodType, string]>([
  ['a union', z.object({ a: z.union([text, z.int()]) }), '.spec.a: every value has one type'],
  ['a tuple', z.object({ a: z.tuple([text, text]) }), '.spec.a'],
  ['an unknown value', z.object({ a: z.unknown() }), '.spec.a: every value has one type'],
  ['a strict object', z.strictObject({ a: z.strictObject({ b: text }) }).catchall(z.never()), ''],
  ['a null', z.object({ a: text.nullable() }), '.spec.a: nullable'],
  ['two patterns', z.object({ a: text.regex(/^a/).regex(/b$/) }), '.spec.a: "allOf"'],
  ['a string without a bound', z.object({ a: z.string() }), '.spec.a: a string has maxLength or enum'],
  ['a list without a bound', z.object({ a: z.array(text) }), '.spec.a: a list has maxItems'],
  ['a map without a bound', z.object({ a: z.record(z.string(), text) }), '.spec.a: a map has maxProperties'],
  ['a look-ahead', z.object({ a: text.regex(/^(?!x)/) }), '.spec.a: pattern ^(?!x) is not RE2'],
  ['a format that nobody enforces', z.object({ a: z.url().max(10) }), '.spec.a: format uri'],
  ['examples', z.object({ a: text.meta({ examples: ['x'] }) }), '.spec.a: "examples" is not a key'],
])('%s is not', (_what, type, fault) => {
  const faults = faultsOf(type);
  if (fault === '') expect(faults).toEqual([]);
  else expect(faults).toContainEqual(expect.stringContaining(fault));
});

test('a transformation is taken for its input', () => {
  expect(toJsonSchema(z.object({ a: text.default('x') }))).toEqual({ type: 'object', properties: { a: { type: 'string', maxLength: 10, default: 'x' } } });
});

test('a type that JSON has no words for is an error, not an empty schema', () => {
  expect(() => toJsonSchema(z.object({ a: z.date() }))).toThrow(/Date/);
});

test('integers are int64 and keep only bounds that somebody wrote', () => {
  expect(toJsonSchema(z.object({ a: z.int(), b: z.int().min(0).max(9) })).properties).toEqual({ a: { type: 'integer', format: 'int64' }, b: { type: 'integer', format: 'int64', minimum: 0, maximum: 9 } });
});

test('metadata belongs to the server', () => {
  expect(structuralFaults({ type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } })).toContain('metadata belongs to the server: it has no schema of its own');
});

test('a key of a list map is always there', () => {
  const list = (required: string[]): JsonSchema => ({ type: 'array', maxItems: 2, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'], items: { type: 'object', properties: { k: { type: 'string', maxLength: 1 } }, required } });
  expect(structuralFaults(root({ type: 'object', properties: { a: list(['k']) } }))).toEqual([]);
  expect(structuralFaults(root({ type: 'object', properties: { a: list([]) } }))).toEqual(['.spec.a: a key of a list map is a required scalar of its items']);
});

test('a default is of its type, and one of its enum', () => {
  expect(structuralFaults(root({ type: 'object', properties: { a: { type: 'integer', default: 'x' }, b: { type: 'string', enum: ['x'], default: 'y' } } }))).toEqual(['.spec.a: the default has another type', '.spec.b: the default is not in the enum']);
});

describe('a transition rule', () => {
  const later = cel({ rule: 'self >= oldSelf', message: 'macrack: later' });
  const beaten = 'unset, then set would pass it';

  test('stands on a value that is required', () => {
    expect(faultsOf(z.object({ a: z.int().meta(later) }))).toEqual([]);
  });

  test('does not stand on a value that may be unset', () => {
    expect(faultsOf(z.object({ a: z.int().optional().meta(later) }))).toEqual([expect.stringContaining(beaten)]);
  });

  test('does not stand below a value that may be unset', () => {
    expect(faultsOf(z.object({ a: z.object({ b: z.int().meta(later) }).optional() }))).toEqual([expect.stringContaining(beaten)]);
  });

  test('does not stand on the items of a list, which have no old value', () => {
    expect(faultsOf(z.object({ a: z.array(z.int().meta(later)).max(2) }))).toEqual([expect.stringContaining(beaten)]);
  });

  test('stands on the parent, and on a part that the parent keeps', () => {
    const kept = { rule: '!has(oldSelf.a) || has(self.a)', message: 'macrack: a stays' };
    expect(faultsOf(z.object({ a: text.optional() }).meta(cel(setOnce('a'))))).toEqual([]);
    expect(faultsOf(z.object({ a: z.object({ b: text.optional() }).meta(cel(setOnce('b'))).optional() }).meta(cel(kept)))).toEqual([]);
  });
});

test('a message is one line and says who speaks', () => {
  expect(faultsOf(z.object({}).meta(cel({ rule: 'true', message: 'no' })))).toEqual(['.spec: message "no" begins with "macrack: "']);
});
