import { Tokenization, type IResolvable } from 'cdktf';
import { unknownFields } from '../../../sdk/rules/unknown-field';
import type { AttributeTable } from './attributes';

/** Where a reference to an object keeps what the configuration says of it. */
export interface Slot<T extends object> {
  get(): T | IResolvable | undefined;
  set(value: T | IResolvable | undefined): void;
}

/** A slot of its own, for a reference that no configuration feeds. */
export function emptySlot<T extends object>(): Slot<T> {
  let held: T | IResolvable | undefined;
  return { get: () => held, set: (value) => { held = value; } };
}

/** What a configuration sets, as it was written. */
export class Inputs<C extends object> {
  private readonly values: Partial<C>;

  /** @param others names that the configuration may have beside the attributes */
  constructor(readonly table: AttributeTable, config: C, private readonly others: readonly string[]) {
    this.values = { ...config };
  }

  get<K extends keyof C>(name: K): C[K] | undefined {
    return this.values[name];
  }

  put<K extends keyof C>(name: K, value: C[K] | undefined): void {
    if (value === undefined) delete this.values[name];
    else this.values[name] = value;
  }

  slot<T extends object>(name: keyof C): Slot<T> {
    return { get: () => this.values[name] as T | IResolvable | undefined, set: (value) => this.put(name, value as C[keyof C] | undefined) };
  }

  /** The values of the attributes, each as it was written. */
  get written(): Readonly<Record<string, unknown>> {
    const values = this.values as Readonly<Record<string, unknown>>;
    return Object.fromEntries(Object.keys(this.table).map((name) => [name, values[name]]));
  }

  /** What was written and is no attribute. */
  get unknown(): readonly string[] {
    return unknownFields(this.values, [...Object.keys(this.table), ...this.others]);
  }
}

/** An object that is written in place, whose members can be looked at; not a token or a reference. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Tokenization.isResolvable(value);
}
