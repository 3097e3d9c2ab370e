import { fromWire } from './exact-number';

type SourceReviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** JSON with numbers kept exact: a decimal string where a float64 would lose digits. */
export function parseExact(text: string): unknown {
  const revive: SourceReviver = (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isExact(value, source) ? fromWire(source) : value;
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as unknown;
}

function isExact(value: number, source: string): boolean {
  return Number.isSafeInteger(value) || String(value) === source;
}
