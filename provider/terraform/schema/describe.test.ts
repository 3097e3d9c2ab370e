import { describe, expect, it } from '@jest/globals';
import { computed, optional, optionalBlock, optionalComputed, required } from './attributes';
import { describeSchema } from './describe';
import { schema } from './schema';
import { list, map, number, object, set, string } from './types';

function attributesOf(description: object): Record<string, Record<string, unknown>> {
  const { block } = description as { block: { attributes: { name: string; type?: Uint8Array }[] } };
  return Object.fromEntries(block.attributes.map(({ name, type, ...rest }) => [name, { ...rest, type: type && (JSON.parse(Buffer.from(type).toString()) as unknown) }]));
}

describe('a schema in the words of the protocol', () => {
  it('says who may set an attribute', () => {
    const one = attributesOf(describeSchema(schema('', {
      a: required(string, 'A.'), b: optional(string, ''), c: computed(string, ''), d: optionalComputed(string, '', { sensitive: true }),
    })));
    expect(one['a']).toMatchObject({ type: 'string', description: 'A.', required: true, optional: false, computed: false, sensitive: false });
    expect(one['b']).toMatchObject({ required: false, optional: true, computed: false });
    expect(one['c']).toMatchObject({ required: false, optional: false, computed: true });
    expect(one['d']).toMatchObject({ required: false, optional: true, computed: true, sensitive: true });
  });

  it('keeps the documentation of objects, alone and one step inside a collection', () => {
    const inner = object({ cpu: required(number, 'Cores.') });
    const one = attributesOf(describeSchema(schema('', { a: optional(inner, ''), b: optional(list(inner), ''), c: optional(set(inner), ''), d: optional(map(inner), '') })));
    const nested = (nesting: string) => ({ nested_type: { nesting, attributes: [expect.objectContaining({ name: 'cpu', description: 'Cores.' })] } });
    expect(one).toMatchObject({ a: nested('SINGLE'), b: nested('LIST'), c: nested('SET'), d: nested('MAP') });
  });

  it('writes a block as one, with the attributes in it', () => {
    const described = describeSchema(schema('', { a: optional(string, ''), exec: optionalBlock({ command: required(string, 'What runs.') }, 'A program.') }));
    expect(Object.keys(attributesOf(described))).toEqual(['a']);
    expect(described).toMatchObject({ block: { block_types: [{ type_name: 'exec', nesting: 'SINGLE', block: { description: 'A program.', attributes: [{ name: 'command', required: true }] } }] } });
  });

  it('writes deeper types as plain ones', () => {
    const one = attributesOf(describeSchema(schema('', { a: optional(list(map(object({ x: optional(string, '') }))), '') })));
    expect(one['a']?.['type']).toEqual(['list', ['map', ['object', { x: 'string' }]]]);
  });
});
