import type { Unknown } from '../values/unknown';
import type { ExactNumber, Value } from '../values/value';
import type { Attributes } from './attributes';
import type { BoolType, ListType, MapType, NumberType, ObjectType, SetType, StringType, Type } from './types';

/** Schema of a resource, a data source or the provider's own configuration. */
export interface Schema<A extends Attributes = Attributes> {
  /** Raised when stored state must be rewritten; the handler then needs `upgrade`. */
  readonly version: number;
  readonly description: string;
  readonly attributes: A;
}

export function schema<A extends Attributes>(description: string, attributes: A, version = 0): Schema<A> {
  return { version, description, attributes };
}

/** A value of type T that is there; holes (unknowns) may be inside it where `Hole` allows them. */
export type ValueOf<T extends Type, Hole> =
  Type extends T ? Exclude<Value, Unknown | null>
  : T extends StringType ? string
  : T extends NumberType ? ExactNumber
  : T extends BoolType ? boolean
  : T extends ListType<infer E extends Type> ? readonly (ValueOf<E, Hole> | Hole)[]
  : T extends SetType<infer E extends Type> ? readonly (ValueOf<E, Hole> | Hole)[]
  : T extends MapType<infer E extends Type> ? Readonly<Record<string, ValueOf<E, Hole> | Hole>>
  : T extends ObjectType<infer A extends Attributes> ? RowOf<A, Hole>
  : never;

/** Every attribute is always present; what is not set is null. */
export type RowOf<A extends Attributes, Hole> = {
  readonly [K in keyof A]: ValueOf<A[K]['type'], Hole> | Hole | (A[K]['mode'] extends 'required' ? never : null);
};

/** What a state holds: no unknowns. */
export type Stored<S extends Schema> = RowOf<S['attributes'], never>;

/** What a configuration or a plan holds: unknowns are possible everywhere. */
export type Planned<S extends Schema> = RowOf<S['attributes'], Unknown>;
