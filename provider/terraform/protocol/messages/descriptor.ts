import type { fromJSON } from '@grpc/proto-loader';

/** Fields by name, each written `"<number> <type>"`; a type may be `repeated X` or `map<string, X>`. */
export type Fields = Readonly<Record<string, string>>;

/** A call with its two messages; `stream` marks the sides that are streams. */
export interface Rpc {
  readonly request: Fields;
  readonly response: Fields;
  readonly stream?: 'response' | 'both';
}

/** A protocol package in our own short notation: what a server must know of it, and no more. */
export interface PackageTable {
  readonly name: string;
  readonly enums: Readonly<Record<string, readonly string[]>>;
  readonly messages: Readonly<Record<string, Fields>>;
  readonly services: Readonly<Record<string, Readonly<Record<string, Rpc>>>>;
}

type Descriptor = Parameters<typeof fromJSON>[0];

/** The descriptor in the JSON form that the loader reads. Only numbers, types and method names reach the wire. */
export function toDescriptor(table: PackageTable): Descriptor {
  const nested: Record<string, unknown> = {};
  for (const [name, values] of Object.entries(table.enums)) nested[name] = { values: numbered(values) };
  for (const [name, fields] of Object.entries(table.messages)) nested[name] = message(fields);
  for (const [service, rpcs] of Object.entries(table.services)) {
    for (const [name, rpc] of Object.entries(rpcs)) {
      nested[`${name}Request`] = message(rpc.request);
      nested[`${name}Response`] = message(rpc.response);
    }
    nested[service] = { methods: Object.fromEntries(Object.entries(rpcs).map(([name, rpc]) => [name, method(name, rpc)])) };
  }
  return { nested: { [table.name]: { nested } } } as Descriptor;
}

function numbered(values: readonly string[]): Record<string, number> {
  return Object.fromEntries(values.map((value, number) => [value, number]));
}

function message(fields: Fields): { fields: Record<string, unknown> } {
  return { fields: Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, field(text)])) };
}

function field(text: string): Record<string, unknown> {
  const parts = /^(\d+) (?:(repeated) (\w+)|map<string, (\w+)>|(\w+))$/.exec(text);
  if (!parts) throw new Error(`the message table has a field that cannot be read: "${text}"`);
  const [, id, rule, element, mapValue, plain] = parts;
  const number = { id: Number(id) };
  if (mapValue !== undefined) return { ...number, keyType: 'string', type: mapValue };
  return rule === undefined ? { ...number, type: plain } : { ...number, rule, type: element };
}

function method(name: string, { stream }: Rpc): Record<string, unknown> {
  return {
    requestType: `${name}Request`,
    responseType: `${name}Response`,
    requestStream: stream === 'both',
    responseStream: stream !== undefined,
  };
}
