import type { Attribute, Attributes } from '../../provider/terraform/schema/attributes';
import type { Type } from '../../provider/terraform/schema/types';
import { camel, fileOf, pascal } from './names';
import type { SourceFile } from './source-file';

/** An attribute of the schema, with what its object is called here where it is one. */
export interface Member {
  readonly terraformName: string;
  readonly name: string;
  readonly attribute: Attribute;
  /** The class of an object, or of the objects of a list. */
  readonly object?: string;
}

/** Attributes in the order of the alphabet, as generators of bindings have them. */
export function membersOf(owner: string, attributes: Attributes): Member[] {
  return Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1)).map(([terraformName, attribute]) => {
    const object = objectOf(attribute.type) === undefined ? {} : { object: `${owner}${pascal(terraformName)}` };
    return { terraformName, name: camel(terraformName), attribute, ...object };
  });
}

/** The attributes of an object, or of the objects of a list. */
export function objectOf(type: Type): Attributes | undefined {
  if (type.kind === 'object') return type.attributes;
  return type.kind === 'list' && type.element.kind === 'object' ? type.element.attributes : undefined;
}

export const isInput = ({ attribute: { mode } }: Member): boolean => mode !== 'computed';

export const isRequired = ({ attribute: { mode } }: Member): boolean => mode === 'required';

function unfit(type: Type): never {
  throw new Error(`the bindings have no form yet for a value of kind ${type.kind} here: add it to components/emit`);
}

function scalar(type: Type): string | undefined {
  if (type.kind === 'bool') return 'boolean';
  return type.kind === 'string' || type.kind === 'number' ? type.kind : undefined;
}

/** The type that a configuration gives an input. */
export function inputType({ attribute: { type }, object }: Member, file: SourceFile): string {
  if (type.kind === 'bool') file.use('cdktf', 'type IResolvable');
  if (type.kind === 'bool') return 'boolean | IResolvable';
  if (object !== undefined && type.kind === 'object') file.use(`./${fileOf(object)}`, `type ${object}`);
  if (object !== undefined && type.kind === 'object') return object;
  if (type.kind === 'list' || type.kind === 'set') return `${scalar(type.element) ?? unfit(type)}[]`;
  if (type.kind === 'map') return `{ [key: string]: ${scalar(type.element) ?? unfit(type)} }`;
  return scalar(type) ?? unfit(type);
}

/** The entry of an input in the table that renders and checks it. */
export function tableEntry({ name, attribute: { type, mode, block }, object }: Member): string {
  const written = type.kind === 'object' ? `{ object: ${tableName(object ?? '')} }`
    : type.kind === 'list' || type.kind === 'set' ? `{ list: '${scalar(type.element) ?? unfit(type)}' }`
    : type.kind === 'map' ? `{ map: '${scalar(type.element) ?? unfit(type)}' }` : `'${scalar(type) ?? unfit(type)}'`;
  if (block) return `  ${name}: optionalBlock(${tableName(object ?? '')}),`;
  return `  ${name}: ${mode === 'required' ? 'required' : 'optional'}(${written}),`;
}

/** `MacOSInstanceShape` has its inputs in `MAC_OS_INSTANCE_SHAPE`. */
export function tableName(className: string): string {
  return fileOf(className).replaceAll('-', '_').toUpperCase();
}
