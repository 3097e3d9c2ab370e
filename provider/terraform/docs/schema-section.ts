import type { Attribute, Attributes } from '../schema/attributes';
import type { Schema } from '../schema/schema';
import type { Type } from '../schema/types';

/** An object that has a part of its own, under the name of its attribute (`shape`, `leases.slots`). */
interface Nested {
  readonly path: string;
  readonly attribute: Attribute;
}

const PARTS = [
  ['Required', ({ mode }: Attribute) => mode === 'required'],
  ['Optional', ({ mode }: Attribute) => mode === 'optional' || mode === 'optional-computed'],
  ['Read-Only', ({ mode }: Attribute) => mode === 'computed'],
] as const;

/** The attributes of an object, or of the objects of a collection. */
function objectIn(type: Type): Attributes | undefined {
  if (type.kind === 'object') return type.attributes;
  return 'element' in type && type.element.kind === 'object' ? type.element.attributes : undefined;
}

function kindOf({ type, block }: Attribute): string {
  if (block) return 'Block';
  switch (type.kind) {
    case 'string': return 'String';
    case 'number': return 'Number';
    case 'bool': return 'Boolean';
    case 'object': return 'Attributes';
    case 'list':
    case 'set':
    case 'map': return type.element.kind === 'object' ? `Attributes ${collection(type.kind)}` : `${collection(type.kind)} of ${kindOf({ type: type.element, block: false } as Attribute)}`;
  }
}

const collection = (kind: string): string => `${kind[0]?.toUpperCase()}${kind.slice(1)}`;

const anchorOf = (path: string, { block }: Attribute): string => `nested${block ? 'block' : 'att'}--${path.replaceAll('.', '--')}`;

function lineOf(name: string, attribute: Attribute, path: string): string {
  const flags = `${kindOf(attribute)}${attribute.sensitive ? ', Sensitive' : ''}`;
  const below = objectIn(attribute.type) === undefined ? '' : ` (see [below for nested schema](#${anchorOf(path, attribute)}))`;
  return `- \`${name}\` (${flags}) ${attribute.description}${below}`;
}

function lists(attributes: Attributes, prefix: string, title: (part: string) => string): string[] {
  return PARTS.flatMap(([part, isIn]) => {
    const lines = Object.entries(attributes).filter(([, attribute]) => isIn(attribute)).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, attribute]) => lineOf(name, attribute, `${prefix}${name}`));
    return lines.length === 0 ? [] : [title(part), '', ...lines, ''];
  });
}

function nestedIn(attributes: Attributes, prefix: string): Nested[] {
  return Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([name, attribute]) => {
    const inside = objectIn(attribute.type);
    const path = `${prefix}${name}`;
    return inside === undefined ? [] : [{ path, attribute }, ...nestedIn(inside, `${path}.`)];
  });
}

function nestedPart({ path, attribute }: Nested): string[] {
  const head = [`<a id="${anchorOf(path, attribute)}"></a>`, `### Nested Schema for \`${path}\``, ''];
  return [...head, ...lists(objectIn(attribute.type) ?? {}, `${path}.`, (part) => `${part}:`)];
}

/** The part `Schema` of a page, as the registry's own generator lays it out. */
export function schemaSection({ attributes }: Schema): string[] {
  return ['## Schema', '', ...lists(attributes, '', (part) => `### ${part}`), ...nestedIn(attributes, '').flatMap(nestedPart)];
}
