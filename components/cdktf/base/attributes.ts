/** How a value is written in a configuration. */
export type AttributeType =
  | 'string' | 'number' | 'boolean'
  | { readonly list: AttributeType }
  | { readonly map: AttributeType }
  | { readonly object: AttributeTable };

/** An attribute that a configuration may set. */
export interface Attribute {
  readonly type: AttributeType;
  readonly isRequired: boolean;
  /** An object that HCL writes as a block (`exec { … }`), not as an attribute (`shape = { … }`). */
  readonly isBlock?: boolean;
}

/** The attributes of a resource, a data source, a provider or an object, by their names in TypeScript. */
export type AttributeTable = Readonly<Record<string, Attribute>>;

export const required = (type: AttributeType): Attribute => ({ type, isRequired: true });

export const optional = (type: AttributeType): Attribute => ({ type, isRequired: false });

export const optionalBlock = (object: AttributeTable): Attribute => ({ type: { object }, isRequired: false, isBlock: true });

/** The name of an attribute in Terraform: `minimumDuration` is `minimum_duration`. */
export function terraformName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
