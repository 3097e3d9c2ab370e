import type { Props } from '../props';

/** The fields of an object that are set, and no others. */
export function pick(props: Props, fields: readonly string[]): Props {
  return Object.fromEntries(fields.flatMap((field) => (props[field] === undefined ? [] : [[field, props[field]]])));
}
