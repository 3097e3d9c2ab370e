import type { FunctionSignature } from '../handlers';
import type { Attribute, Attributes } from './attributes';
import type { Schema } from './schema';
import type { Type } from './types';

/** A schema in the words of the protocol. */
export function describeSchema(schema: Schema): object {
  return {
    version: schema.version,
    block: {
      version: schema.version,
      attributes: describeAttributes(written(schema.attributes, false)),
      block_types: Object.entries(written(schema.attributes, true)).map(describeBlock),
      description: schema.description,
      description_kind: 'PLAIN',
    },
  };
}

function written(attributes: Attributes, asBlock: boolean): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, { block }]) => block === asBlock));
}

function describeBlock([name, { type, description }]: readonly [string, Attribute]): object {
  const attributes = type.kind === 'object' ? describeAttributes(type.attributes) : [];
  return { type_name: name, nesting: 'SINGLE', block: { attributes, description, description_kind: 'PLAIN' } };
}

function describeAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([name, attribute]) => ({
    name,
    ...describeType(attribute.type),
    ...flagsOf(attribute),
    description: attribute.description,
    description_kind: 'PLAIN',
  }));
}

function flagsOf({ mode, sensitive }: Attribute): object {
  return {
    required: mode === 'required',
    optional: mode === 'optional' || mode === 'optional-computed',
    computed: mode === 'computed' || mode === 'optional-computed',
    sensitive,
  };
}

/** A function in the words of the protocol. */
export function describeFunction({ summary, description, parameters, returns }: FunctionSignature): object {
  return {
    summary, description, description_kind: 'PLAIN', return: { type: typeBytes(returns) },
    parameters: parameters.map(({ type, ...named }) => ({ ...named, type: typeBytes(type), description_kind: 'PLAIN' })),
  };
}

const typeBytes = (type: Type): Buffer => Buffer.from(JSON.stringify(plainType(type)));

/** Objects keep the documentation of their attributes only as a nested type; deeper than one list, set or map they lose it. */
function describeType(type: Type): object {
  if (type.kind === 'object') return nested('SINGLE', type.attributes);
  if (type.kind === 'list' && type.element.kind === 'object') return nested('LIST', type.element.attributes);
  if (type.kind === 'set' && type.element.kind === 'object') return nested('SET', type.element.attributes);
  if (type.kind === 'map' && type.element.kind === 'object') return nested('MAP', type.element.attributes);
  return { type: typeBytes(type) };
}

function nested(nesting: string, attributes: Attributes): object {
  return { nested_type: { nesting, attributes: describeAttributes(attributes) } };
}

function plainType(type: Type): unknown {
  switch (type.kind) {
    case 'string':
    case 'number':
    case 'bool':
      return type.kind;
    case 'list':
    case 'set':
    case 'map':
      return [type.kind, plainType(type.element)];
    case 'object':
      return ['object', Object.fromEntries(Object.entries(type.attributes).map(([name, { type: of }]) => [name, plainType(of)]))];
  }
}
