import { FLOOR_MS, INSTANCES_PER_CHASSIS } from './limits';

const HOURS = FLOOR_MS / 3_600_000;

/** The names in `input` that `fields` does not list, in order. A field that is undefined is not there. */
export function unknownFields(input: object, fields: readonly string[]): readonly string[] {
  return Object.entries(input).filter(([name, value]) => value !== undefined && !fields.includes(name)).map(([name]) => name);
}

/**
 * What to say of a field that does not exist: rule 1, since most who invent a field want more machines on a Mac, and what there is instead.
 * @param kind as the user calls it, for example `MacNodeLease`
 * @param field as it was written; dotted where it stands inside another one (`shape.gpu`)
 * @param fields those that exist, as the user may write them in its place
 */
export function noSuchField(kind: string, field: string, fields: readonly string[]): string {
  const sentences = insteadOfField(fields);
  return `${kind} has no field ${JSON.stringify(field)}: ${sentences.charAt(0).toLowerCase()}${sentences.slice(1)}`;
}

/** The same for a text that has named the field already. */
export function insteadOfField(fields: readonly string[]): string {
  return `There is no such field. No field raises the limit of ${INSTANCES_PER_CHASSIS} macOS virtual machines on a Mac (rule 1; Apple's licence, section 2B(iii)), `
    + `or lowers the ${HOURS} hours of a lease. Remove it, or use one of: ${fields.join(', ')}.`;
}
