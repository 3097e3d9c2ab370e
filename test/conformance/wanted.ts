import { bound, existingInstance, held, type Stage } from './staging';
import { notAsked, type AskOf } from './table';
import type { Ask, Row } from './verdicts';

/** A lease that a configuration asks for; what is left out is left out there too. */
export interface WantedLease {
  readonly lease: string;
  readonly class: string;
  readonly serial?: string;
  readonly minimumDuration?: string;
  readonly onEarlyRelease?: string;
  readonly adopt?: boolean;
}

/** An instance that a configuration asks for. `on` is a lease of the same configuration by its name, or any by its id. */
export interface WantedInstance {
  readonly instance: string;
  readonly on: { readonly lease: string } | { readonly id: string };
  readonly namespace?: string;
  readonly shape?: { readonly cpu: number; readonly memory: string; readonly disk: string };
}

/** What a row asks for, which each tool writes in its own language. Names begin with that of the row. */
export type Wanted = WantedLease | WantedInstance;

export type TimedAsk = AskOf<'release'> | AskOf<'change'>;
export const isTimed = (ask: Ask): ask is TimedAsk => ask.kind === 'release' || ask.kind === 'change';

async function start(stage: Stage, name: string, { existing, starting, lease: of }: AskOf<'start'>): Promise<Wanted[]> {
  const onServer = of === 'bound' ? await bound(stage, stage.tenant, name) : undefined;
  if (onServer !== undefined) for (const each of existing) await existingInstance(stage, onServer, `${name}-${each.name}`, each.phase);
  const on = onServer === undefined ? { lease: name } : { id: `${stage.tenant.namespace}/${name}` };
  return [...(onServer === undefined ? [{ lease: name, class: 'base' }] : []), ...starting.map((each) => ({ instance: `${name}-${each}`, on }))];
}

async function place(stage: Stage, name: string, row: Row, { lease: of }: AskOf<'place'>): Promise<Wanted[]> {
  switch (of) {
    case 'absent': break;
    case 'held': await held(stage, name); break;
    case 'own': await bound(stage, stage.tenant, name); break;
    case 'foreign': await bound(stage, stage.other, name); break;
    case 'namespace-recreated': return notAsked(row);
  }
  const whose = of === 'foreign' ? stage.other : stage.tenant;
  return [{ instance: `${name}-a`, on: { id: `${whose.namespace}/${name}` }, ...(of === 'foreign' ? { namespace: stage.tenant.namespace } : {}) }];
}

function shapes(name: string, fits: boolean): Wanted[] {
  const half = (memory: string) => ({ cpu: 4, memory, disk: '128Gi' });
  const on = { lease: name };
  return [{ lease: name, class: 'base' }, { instance: `${name}-a`, on, shape: half('8Gi') }, { instance: `${name}-b`, on, shape: half(fits ? '8192Mi' : '9Gi') }];
}

async function newLease(stage: Stage, name: string, { minimumDuration, serial, name: taken, adopt }: AskOf<'new-lease'>): Promise<Wanted[]> {
  if (taken === 'held') await held(stage, name);
  const pins = { free: 'c02free', absent: 'c02none', leased: serial === 'leased' ? (await bound(stage, stage.other, name)).status?.chassis ?? '' : '' };
  return [{
    lease: name, class: serial === 'free' ? 'pro' : 'base', ...(serial && { serial: pins[serial] }), ...(minimumDuration !== undefined && { minimumDuration }), ...(adopt !== undefined && { adopt }),
  }];
}

/** Of a row that is about now: makes what is there already, and gives what is asked for. */
export function wantedNow(stage: Stage, name: string, row: Row): Promise<Wanted[]> | Wanted[] {
  const { ask } = row;
  switch (ask.kind) {
    case 'start': return start(stage, name, ask);
    case 'place': return place(stage, name, row, ask);
    case 'shape': return shapes(name, ask.fits);
    case 'new-lease': return newLease(stage, name, ask);
    default: return notAsked(row);
  }
}

/** The lease of a row in time as it is applied, and as it is wanted later; a release is its absence. */
export function wantedAt(name: string, ask: TimedAsk, when: 'applied' | 'later'): Wanted[] {
  if (ask.kind === 'release') {
    const { minimumDuration, onEarlyRelease } = ask;
    return when === 'applied' ? [{ lease: name, class: 'base', ...(minimumDuration !== undefined && { minimumDuration }), ...(onEarlyRelease !== undefined && { onEarlyRelease }) }] : [];
  }
  // Two rows pin a Mac, each one of its own.
  const own = ask.field === 'serial' && ask.from === ask.to.toLowerCase() ? (serial: string) => serial.replace('1', '3') : (serial: string) => serial;
  return [{ lease: name, class: ask.field === 'serial' ? 'pro' : 'base', [ask.field]: own(when === 'applied' ? ask.from : ask.to) }];
}
