import { tryParseQuantity } from '../../sdk/api/quantity';
import type { Sizes } from '../../sdk/rules/judge-shape';
import { isKnown, UNKNOWN, type Maybe } from '../../sdk/rules/unknown';
import type { Core } from './core';
import { idOf, type Named } from './object-id';

/** What one Mac of a lease's class has. */
export interface Chassis {
  readonly class: string;
  readonly sizes: Sizes;
}

async function classOf(core: Core, lease: Named): Promise<Maybe<string>> {
  const declared = core.run.lease(idOf(lease));
  if (declared?.fate === 'create') return declared.class;
  const look = await core.facts.lease(lease);
  return look.seen && look.value !== null ? look.value.spec.class : UNKNOWN;
}

/** The chassis under a lease; unknown where its class is, or may not be read. */
export async function chassisOf(core: Core, lease: Named): Promise<Maybe<Chassis>> {
  const name = await classOf(core, lease);
  if (!isKnown(name)) return UNKNOWN;
  const look = await core.facts.classes();
  const spec = look.seen ? look.value.find((c) => c.metadata.name === name)?.spec : undefined;
  if (spec === undefined) return UNKNOWN;
  const [memory, disk] = [tryParseQuantity(spec.memory), tryParseQuantity(spec.disk)];
  return memory === undefined || disk === undefined ? UNKNOWN : { class: name, sizes: { cpu: spec.cpu, memory, disk } };
}
