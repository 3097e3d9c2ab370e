/** The fields of `written` that are set, and no others. */
export function pick<T extends object, K extends keyof T>(written: T, fields: readonly K[]): Pick<T, K> {
  return Object.fromEntries(fields.filter((field) => written[field] !== undefined).map((field) => [field, written[field]])) as Pick<T, K>;
}
