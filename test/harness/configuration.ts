/** HCL of the tests, one attribute a line, so that a diagnostic's line names the attribute. */

/** An expression that is written as it stands. */
export interface Expression {
  readonly expression: string;
}

type Value = string | number | boolean | Expression;

/** Attributes in the order they are written; null leaves a default out. */
export type Attributes = Readonly<Record<string, Value | null>>;

export function raw(expression: string): Expression {
  return { expression };
}

const written = (value: Value): string => (typeof value === 'object' ? value.expression : JSON.stringify(value));

export function block(type: string, name: string, attributes: Attributes): string {
  const lines = Object.entries(attributes).flatMap(([key, value]) => (value === null ? [] : [`  ${key} = ${written(value)}`]));
  return [`${type} ${JSON.stringify(name)} {`, ...lines, '}', ''].join('\n');
}

const label = (name: string): string => name.replaceAll(/[^A-Za-z0-9_]/g, '_');

/** A lease of class base, called `name` here and on the plane. */
export function lease(name: string, attributes: Attributes = {}): string {
  return block('resource "macrack_mac_node_lease"', label(name), { name, class: 'base', ...attributes });
}

/** Small enough that two fit any Mac. */
export const SHAPE = raw('{ cpu = 2, memory = "4Gi", disk = "40Gi" }');
export const IMAGE = 'ghcr.io/acme/macos-sequoia:15.1';

/** An instance, called `name` here and on the plane. `on` is an expression (`idOf`) or the id of a lease. */
export function instance(name: string, on: Value, attributes: Attributes = {}): string {
  return block('resource "macrack_macos_instance"', label(name), { name, lease: on, image: IMAGE, shape: SHAPE, ...attributes });
}

/** The id of a lease of the same configuration. */
export function idOf(leaseName: string): Expression {
  return raw(`${leaseAddress(leaseName)}.id`);
}

export function leaseAddress(name: string): string {
  return `macrack_mac_node_lease.${label(name)}`;
}

export function instanceAddress(name: string): string {
  return `macrack_macos_instance.${label(name)}`;
}
