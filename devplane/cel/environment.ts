import { Environment } from '@marcbachmann/cel-js';
import { formatSecond } from '../clock';
import { parseQuantity } from '../resources/quantity';

/** Durations as cel-js makes them: milliseconds by valueOf. */
interface CelDuration {
  valueOf(): number;
}

/** Kubernetes' `quantity()` with the methods that compare; exact to a billionth. */
class Quantity {
  constructor(readonly nano: bigint) {}

  static parse(text: string): Quantity {
    const nano = parseQuantity(text);
    if (nano === undefined) throw new Error(`quantities must match the regular expression of a resource quantity: ${JSON.stringify(text)}`);
    return new Quantity(nano);
  }

  compare(other: Quantity): bigint {
    return this.nano < other.nano ? -1n : this.nano > other.nano ? 1n : 0n;
  }
}

const formatInstant = (instant: Date) => (instant.getTime() % 1000 === 0 ? formatSecond(instant.getTime()) : instant.toISOString());

/** An environment that knows these variables and no other: a misspelt one is an error when the plane starts. */
export function environment(variables: readonly string[]): Environment {
  const env = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: false })
    .registerType('Quantity', Quantity)
    .registerFunction('quantity(string): Quantity', (text: string) => Quantity.parse(text))
    .registerFunction('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined)
    .registerFunction('Quantity.compareTo(Quantity): int', (a: Quantity, b: Quantity) => a.compare(b))
    .registerFunction('Quantity.isLessThan(Quantity): bool', (a: Quantity, b: Quantity) => a.nano < b.nano)
    .registerFunction('Quantity.isGreaterThan(Quantity): bool', (a: Quantity, b: Quantity) => a.nano > b.nano)
    .registerFunction('Quantity.add(Quantity): Quantity', (a: Quantity, b: Quantity) => new Quantity(a.nano + b.nano))
    .registerFunction('Quantity.sub(Quantity): Quantity', (a: Quantity, b: Quantity) => new Quantity(a.nano - b.nano))
    .registerFunction('string(google.protobuf.Timestamp): string', formatInstant)
    .registerFunction('string(google.protobuf.Duration): string', (duration: CelDuration) => `${duration.valueOf() / 1000}s`);
  for (const name of variables) env.registerVariable(name, 'dyn');
  return env;
}

export type Expression = (context: Record<string, unknown>) => unknown;

/** Parses and type-checks. @throws Error naming the place and the expression */
export function compileCel(env: Environment, source: string, place: string): Expression {
  try {
    const parsed = env.parse(source);
    const checked = parsed.check();
    if (!checked.valid) throw checked.error ?? new Error('does not type-check');
    return (context) => parsed(context) as unknown;
  } catch (error) {
    throw new Error(`${place}: the development plane cannot evaluate the CEL expression ${JSON.stringify(source)}: ${(error as Error).message}`, { cause: error });
  }
}
