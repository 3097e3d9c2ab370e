import { describe, expect, it } from '@jest/globals';
import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { computed, optional, required } from '../schema/attributes';
import { schema } from '../schema/schema';
import type { Type } from '../schema/types';
import { bool, list, map, number, object, set, string } from '../schema/types';
import { decodeRow, encodeRow } from './codec';
import type { Value } from './value';
import { UNKNOWN, Unknown } from './unknown';

const typeArbitrary: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Type>(string, number, bool),
    tie('type').map((element) => list(element)),
    tie('type').map((element) => set(element)),
    tie('type').map((element) => map(element)),
    fc.dictionary(name(), tie('type'), { maxKeys: 3 }).map((types) =>
      object(Object.fromEntries(Object.entries(types).map(([key, type]) => [key, optional(type, '')])))),
  ),
})).type;

function name(): fc.Arbitrary<string> {
  return fc.stringMatching(/^[a-z_]{1,8}$/).filter((key) => key !== '__proto__');
}

const unknownArbitrary = fc.record({ isNull: fc.boolean(), stringPrefix: fc.string() }, { requiredKeys: [] })
  .map((refinement) => (Object.keys(refinement).length === 0 ? UNKNOWN : new Unknown(refinement)));

const numberArbitrary = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  fc.bigInt().map(String).filter((digits) => !Number.isSafeInteger(Number(digits))),
);

function present(type: Type): fc.Arbitrary<Value> {
  switch (type.kind) {
    case 'string': return fc.string();
    case 'bool': return fc.boolean();
    case 'number': return numberArbitrary;
    case 'list':
    case 'set': return fc.array(valueOf(type.element), { maxLength: 4 });
    case 'map': return fc.dictionary(name(), valueOf(type.element), { maxKeys: 4 }).map((entries) => ({ ...entries }));
    case 'object': return fc.record(Object.fromEntries(Object.entries(type.attributes).map(([key, { type: of }]) => [key, valueOf(of)]))).map((row) => ({ ...row }));
  }
}

function valueOf(type: Type): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 8, arbitrary: present(type) }, fc.constant(null), unknownArbitrary);
}

const THING = schema('', { name: required(string, ''), size: optional(number, ''), id: computed(string, '') });

describe('the value codec', () => {
  it('gives back every value of every type: nulls, unknowns, refinements, big numbers', () => {
    fc.assert(fc.property(
      typeArbitrary.chain((type) => fc.tuple(fc.constant(type), valueOf(type))),
      ([type, value]) => {
        const one = schema('', { value: optional(type, '') });
        expect(decodeRow(encodeRow({ value }, one), one)).toEqual({ value });
      },
    ), { numRuns: 300 });
  });

  it('takes no row for null, and gives null for it', () => {
    expect(decodeRow(encodeRow(null, THING), THING)).toBeNull();
    expect(decodeRow(null, THING)).toBeNull();
  });

  it('emits every attribute, those left out as null', () => {
    expect(decodeRow(encodeRow({ name: 'a' }, THING), THING)).toEqual({ name: 'a', size: null, id: null });
  });

  it('reads 64-bit integers without losing a digit', () => {
    const wire = (size: bigint) => ({ msgpack: encode({ name: 'a', size, id: null }, { useBigInt64: true }) });
    expect(decodeRow(wire(9007199254740993n), THING)?.size).toBe('9007199254740993');
    expect(decodeRow(wire(7n), THING)?.size).toBe(7);
  });

  it('keeps decimals that a float64 would round as the text they came in', () => {
    expect(decodeRow({ msgpack: encode({ size: '0.1' }) }, THING)?.size).toBe('0.1');
  });

  it('writes an unknown in the bytes that Terraform expects', () => {
    const bytes = (value: Unknown) => Buffer.from(encodeRow({ id: value }, schema('', { id: computed(string, '') })).msgpack ?? []).toString('hex');
    expect(bytes(UNKNOWN)).toBe('81a26964' + 'd40000');
    expect(bytes(new Unknown({ isNull: false, stringPrefix: 'x' }))).toBe('81a26964' + 'c7060c' + '8201c202a178');
  });

  it('drops bounds of unknown numbers and keeps that they are unknown', () => {
    const bounds = Uint8Array.from([0x82, 1, 0xc2, 3, 0x92, 5, 0xc3]);
    const wire = Buffer.concat([Buffer.from('81a473697a65', 'hex'), Uint8Array.from([0xc7, bounds.length, 12]), bounds]);
    expect(decodeRow({ msgpack: wire }, THING)?.size).toEqual(new Unknown({ isNull: false }));
  });

  it('names the attribute, never its value, when a value does not fit', () => {
    const nested = schema('', { rows: optional(list(object({ name: optional(string, '') })), '') });
    expect(() => encodeRow({ rows: [{ name: 'a' }, { name: 5 }] }, nested)).toThrow('rows[1].name must be a string and is number');
    expect(() => encodeRow({ rows: [{ nmae: 'secret' }] }, nested)).toThrow('the schema has no attribute rows[0].nmae');
    expect(() => encodeRow({ size: Number.NaN }, THING)).toThrow('size must be a number and is number');
  });
});
