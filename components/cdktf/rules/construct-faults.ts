import { tryParseQuantity } from '../../../sdk/api/quantity';
import { findingsOf } from '../../../provider/core/verdict-findings';
import { judgeShape, type Sizes } from '../../../sdk/rules/judge-shape';
import { isKnown } from '../../../sdk/rules/unknown';
import { noSuchField, unknownFields } from '../../../sdk/rules/unknown-field';
import { readNumber, readObject, readRequired } from './reading';
import { inWords } from './wording';

/** Fields that a construct does not have. @param at where they stand in it, `vms[0].`; empty for the construct itself */
export function fieldFaults(kind: string, written: unknown, fields: readonly string[], at = ''): string[] {
  return unknownFields(readObject(written) ?? {}, fields).map((field) => `InvalidValue: ${noSuchField(kind, `${at}${field}`, fields.map((name) => `${at}${name}`))}`);
}

/** What JavaScript may hand over in place of an object is one without fields. */
export function asObject<T extends object>(written: T): Partial<T> {
  return (readObject(written) ?? {}) as Partial<T>;
}

/** Those of `fields` that are written. */
export function pick<T extends object, K extends keyof T>(written: T, fields: readonly K[]): Pick<T, K> {
  const given = asObject(written);
  return Object.fromEntries(fields.filter((field) => given[field] !== undefined).map((field) => [field, given[field]])) as Pick<T, K>;
}

/** What the names of children begin with; a name that is none is refused where it stands. */
export function stem(name: unknown, id: string): string {
  return typeof name === 'string' || typeof name === 'number' ? String(name) : id;
}

function sizesOf(shape: unknown): Sizes | undefined {
  const written = readObject(shape) ?? {};
  const cpu = readNumber(written.cpu);
  const memory = readRequired(written.memory);
  const disk = readRequired(written.disk);
  if (!isKnown(cpu) || !isKnown(memory) || !isKnown(disk)) return undefined;
  const [bytes, room] = [tryParseQuantity(memory), tryParseQuantity(disk)];
  return bytes === undefined || room === undefined ? undefined : { cpu, memory: bytes, disk: room };
}

/** Sizes that exceed a chassis together; those that only the plan knows are left to it. */
export function shapeFaults(lease: { readonly name: unknown; readonly class: unknown }, chassis: unknown, shapes: readonly unknown[]): string[] {
  const has = sizesOf(chassis);
  const known = shapes.map(sizesOf).filter((sizes) => sizes !== undefined);
  const name = readRequired(lease.name);
  const className = readRequired(lease.class);
  if (has === undefined || known.length === 0 || !isKnown(name) || !isKnown(className)) return [];
  return findingsOf(judgeShape({ lease: name, class: className, chassis: has, shapes: known }), { kind: 'lease', id: name }).map(inWords);
}
