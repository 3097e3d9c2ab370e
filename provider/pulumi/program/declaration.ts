import { Output, output, type Resource } from '@pulumi/pulumi';
import type { ManagedKind } from '../../core/finding';
import type { Props } from '../props';

/** A value that an output has not brought before the first resources are registered. It may depend on one of them, so nobody waits for it. */
export const NOT_YET = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** A resource as the program declares it, before the engine knows it. */
export interface Declared {
  readonly kind: ManagedKind;
  readonly urn: string;
  /** Inputs as far as they are known without asking the engine; others are as the engine writes an unknown. */
  readonly props: () => Props;
  /** Inputs whose changes the program has the engine ignore, as `ignoreChanges` names them; those of a new resource count. */
  readonly ignored?: readonly string[];
  /** The lease of an instance, where the program names it by its object. */
  readonly lease?: Resource;
}

/** The inputs of a resource that is there: what the engine ignores is as it is now. @param now inputs of the object on the control plane */
export function withoutIgnored(props: Props, now: Props, ignored: readonly string[] = []): Props {
  const fields = ignored.includes('*') ? Object.keys(now) : ignored.map((path) => /^\w+/.exec(path)?.[0] ?? '');
  return { ...props, ...Object.fromEntries(fields.filter((field) => field in now).map((field) => [field, now[field]])) };
}

const isLater = (value: unknown): boolean => Output.isInstance(value) || value instanceof Promise;

/** Notes what an output or a promise brings, if it brings something. A fault of it is the program's own, and shown as such. */
function follow(value: unknown, note: (value: unknown) => void): void {
  (output(value) as unknown as Output<unknown>).apply(note);
}

/** Reads the arguments of a resource without waiting for anything: plain values at once, others when and if they are there. */
export function plainArguments(args: Readonly<Record<string, unknown>>): () => Props {
  const arrived = new Map<string, unknown>();
  for (const [key, value] of Object.entries(args)) {
    if (hasLater(value)) follow(value, (known) => arrived.set(key, known));
  }
  return () => Object.fromEntries(Object.entries(args).map(([key, value]) => [key, !hasLater(value) ? value : arrived.has(key) ? arrived.get(key) : NOT_YET]));
}

function hasLater(value: unknown): boolean {
  if (isLater(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(isLater);
}
