import { Environment } from '@marcbachmann/cel-js';

interface Milliseconds {
  valueOf(): number;
}

/** JSON as untyped CEL sees it: whole numbers are int. */
export function toCel(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toCel(member)]));
}

/** CEL as the policies use it. Kubernetes prints instants and durations; cel-js leaves that to its host. */
export function environment(): Environment {
  return new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true })
    .registerFunction('string(google.protobuf.Timestamp): string', (at: Date) => at.toISOString().replace('.000Z', 'Z'))
    .registerFunction('string(google.protobuf.Duration): string', (duration: Milliseconds) => `${duration.valueOf() / 1000}s`);
}
