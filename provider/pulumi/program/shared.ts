// Two copies of the package in one process are normal. What they share is plain data under names that never change.
const URNS = Symbol.for('macrack.io/pulumi/urns');
const REGISTERED = Symbol.for('macrack.io/pulumi/registered');
const HOOKS = Symbol.for('macrack.io/pulumi/hooks');

function shared<T>(key: symbol): WeakMap<object, T> {
  const all = globalThis as Record<symbol, unknown>;
  return (all[key] ??= new WeakMap<object, T>()) as WeakMap<object, T>;
}

function ofEngine<T>(key: symbol, engine: object, make: () => T): T {
  const map = shared<T>(key);
  const known = map.get(engine) ?? make();
  map.set(engine, known);
  return known;
}

/** URNs of the leases and instances that the program of a run declares. */
export function sharedUrns(engine: object): Set<string> {
  return ofEngine(URNS, engine, () => new Set<string>());
}

/** Those of them that the engine has answered for. */
export function sharedRegistered(engine: object): Set<string> {
  return ofEngine(REGISTERED, engine, () => new Set<string>());
}

/** The hook of a run: the engine takes one of a name. */
export function sharedHook<T>(engine: object, make: () => T): T {
  return ofEngine(HOOKS, engine, make);
}
