import type { Json } from '../json';

const suffixes: Record<string, number> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Record<string, bigint> = { Ki: 1n << 10n, Mi: 1n << 20n, Gi: 1n << 30n, Ti: 1n << 40n, Pi: 1n << 50n, Ei: 1n << 60n };

/** A quantity in billionths of its unit: exact, since suffixes go down to nano. undefined when it is none. */
export function parseQuantity(value: Json | undefined): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:([KMGTPE]i)|[eE]([+-]?\d+)|([numkMGTPE]?))$/.exec(String(value));
  const [, sign = '', whole = '', fraction = '', bin, exponent, suffix = ''] = match ?? [];
  if (!match || whole + fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  const scale = 9 - fraction.length + (exponent === undefined ? (suffixes[suffix] ?? 0) : Number(exponent));
  const scaled = scale >= 0 ? digits * 10n ** BigInt(scale) : digits / 10n ** BigInt(-scale);
  return (sign === '-' ? -1n : 1n) * scaled * (bin === undefined ? 1n : (binary[bin] ?? 1n));
}

const one = 1_000_000_000n;

/** Plain and milli quantities as the API server stores them (`"2000m"` → `"2"`); those with a larger unit, and what is no quantity, are kept as written. */
export function canonicalQuantity(value: Json | undefined): Json | undefined {
  const parsed = parseQuantity(value);
  if (parsed === undefined || (typeof value === 'string' && /[kMGTPEi]$/.test(value))) return value;
  if (parsed % one === 0n) return String(parsed / one);
  return parsed % 1_000_000n === 0n ? `${parsed / 1_000_000n}m` : value;
}

/** Resources that a node counts in whole pieces, as `macrack.io/macos-vm`. */
export const isExtended = (resource: string) => resource.includes('/') && !resource.startsWith('kubernetes.io/');
