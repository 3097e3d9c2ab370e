import { Token } from 'cdktf';
import { terraformName, type Attribute, type AttributeTable, type AttributeType } from './attributes';
import { fits, isLate } from './fit';
import { isPlain } from './inputs';

type Row = Readonly<Record<string, unknown>>;

/** A value that does not fit is refused, and left out here: the library renders before it validates, and ends in errors of its own. */
function rendered(type: AttributeType, value: unknown): unknown {
  // null is "not set", as in Terraform; the library cannot write it everywhere.
  if (value === null || value === undefined || !fits(type, value)) return undefined;
  if (typeof type === 'string') return value;
  if ('object' in type) return isPlain(value) ? renderJson(type.object, value) : value;
  if ('list' in type) return Array.isArray(value) && !isLate(value) ? value.map((element) => rendered(type.list, element)) : value;
  // As a token, since the library writes the keys of a provider's objects in snake case, also those of a map.
  return isPlain(value) ? Token.asAny(Object.fromEntries(Object.entries(value).filter(([, element]) => fits(type.map, element)))) : value;
}

const given = ([, value]: readonly [string, unknown]): boolean => value !== undefined;

/** Attributes as the JSON configuration syntax has them. */
export function renderJson(table: AttributeTable, row: Row): Row {
  return Object.fromEntries(Object.entries(table).map(([name, { type }]) => [terraformName(name), rendered(type, row[name])] as const).filter(given));
}

/**
 * How the HCL renderer of the library is told to write a value. Objects are its maps: as a struct it would write a block, and the
 * provider's objects are attributes (`shape = { … }`).
 */
function hclType(type: AttributeType): { readonly type: string; readonly storageClassType: string } {
  if (typeof type === 'string') return { type: 'simple', storageClassType: type };
  if ('list' in type) return { type: 'list', storageClassType: `${typeof type.list === 'string' ? type.list : 'any'}List` };
  return { type: 'map', storageClassType: 'anyMap' };
}

function described({ type, isBlock = false }: Attribute, value: unknown): Row {
  if (isBlock && typeof type === 'object' && 'object' in type && isPlain(value)) return { value: renderHcl(type.object, value), isBlock, type: 'struct', storageClassType: 'struct' };
  return { value: rendered(type, value), isBlock: false, ...hclType(type) };
}

/** Attributes as the HCL renderer of the library takes them. */
export function renderHcl(table: AttributeTable, row: Row): Row {
  return Object.fromEntries(Object.entries(table).filter(([name, { type }]) => rendered(type, row[name]) !== undefined)
    .map(([name, attribute]) => [terraformName(name), described(attribute, row[name])] as const));
}
