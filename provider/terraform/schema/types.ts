export interface StringType { readonly kind: 'string' }
export interface NumberType { readonly kind: 'number' }
export interface BoolType { readonly kind: 'bool' }
export interface ListType<E extends Type = Type> { readonly kind: 'list'; readonly element: E }
export interface SetType<E extends Type = Type> { readonly kind: 'set'; readonly element: E }
export interface MapType<E extends Type = Type> { readonly kind: 'map'; readonly element: E }
export interface ObjectType<A extends Attributes = Attributes> { readonly kind: 'object'; readonly attributes: A }

/** The types of the configuration language that a schema can name. */
export type Type = StringType | NumberType | BoolType | ListType | SetType | MapType | ObjectType;

/** Who may set an attribute: the user must, the user may, the provider does, or the provider unless the user did. */
export type Mode = 'required' | 'optional' | 'computed' | 'optional-computed';

export interface Attribute<T extends Type = Type, M extends Mode = Mode> {
  readonly type: T;
  readonly mode: M;
  readonly description: string;
  /** Hidden in the output of a plan. Default false. */
  readonly sensitive: boolean;
  /** An object that is written as a block, `name { … }`, at most once. Default false. Only at the top of a schema. */
  readonly block: boolean;
}

export type Attributes = Readonly<Record<string, Attribute>>;

export const string: StringType = { kind: 'string' };
export const number: NumberType = { kind: 'number' };
export const bool: BoolType = { kind: 'bool' };

export function list<E extends Type>(element: E): ListType<E> {
  return { kind: 'list', element };
}

export function set<E extends Type>(element: E): SetType<E> {
  return { kind: 'set', element };
}

export function map<E extends Type>(element: E): MapType<E> {
  return { kind: 'map', element };
}

/** An object with its own documented attributes, written `name = { … }`; also as element of list, set or map. */
export function object<A extends Attributes>(attributes: A): ObjectType<A> {
  return { kind: 'object', attributes };
}
