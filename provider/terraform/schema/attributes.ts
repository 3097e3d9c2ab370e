import { object, type Attribute, type Attributes, type Mode, type ObjectType, type Type } from './types';

export type { Attribute, Attributes, Mode } from './types';

export interface AttributeOptions { readonly sensitive?: boolean }

function attribute<T extends Type, M extends Mode>(mode: M) {
  return (type: T, description: string, options: AttributeOptions = {}): Attribute<T, M> =>
    ({ type, mode, description, sensitive: options.sensitive ?? false, block: false });
}

/** Must be in the configuration; never null there, though it may be unknown at plan. */
export const required = <T extends Type>(type: T, description: string, options?: AttributeOptions) =>
  attribute<T, 'required'>('required')(type, description, options);

/** May be in the configuration; otherwise null. */
export const optional = <T extends Type>(type: T, description: string, options?: AttributeOptions) =>
  attribute<T, 'optional'>('optional')(type, description, options);

/** Set by the provider only. */
export const computed = <T extends Type>(type: T, description: string, options?: AttributeOptions) =>
  attribute<T, 'computed'>('computed')(type, description, options);

/** Set by the provider where the configuration leaves it null. */
export const optionalComputed = <T extends Type>(type: T, description: string, options?: AttributeOptions) =>
  attribute<T, 'optional-computed'>('optional-computed')(type, description, options);

/** May be in the configuration as a block, `name { … }`, once; otherwise null. */
export function optionalBlock<A extends Attributes>(attributes: A, description: string): Attribute<ObjectType<A>, 'optional'> {
  return { ...optional(object(attributes), description), block: true };
}
