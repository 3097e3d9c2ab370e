import { isSameQuantity } from '../../sdk/api/quantity';
import { isKnown, type Maybe } from '../../sdk/rules/unknown';
import type { Core } from './core';
import { warning, type Findings } from './finding';
import { previewNotes } from './preview-notes';
import { instanceSubject, sizesOf, type InstanceDeclaration, type ShapeDeclaration, type StoredInstance } from './instance';
import { judgeKeep } from './instance-slots';
import { idOf, tryParseId } from './object-id';
import { findingsOf } from './verdict-findings';

/** What a preview says of an instance that is in the state and in the configuration. */
export interface InstanceUpdatePlan {
  readonly findings: Findings;
  /** Inputs whose change replaces the instance, delete first. */
  readonly replaces: readonly string[];
  /** The control plane's object changes, and with it what it reports. */
  readonly writes: boolean;
}

const isSame = <T>(prior: T, next: Maybe<T>): boolean => prior === next;

/** Sizes are compared by value: "8Gi" is "8192Mi". */
export function isSameShape(prior: StoredInstance['shape'], next: Maybe<ShapeDeclaration>): boolean {
  if (!isKnown(next)) return false;
  const same = (a: string, b: Maybe<string>): boolean => isKnown(b) && isSameQuantity(a, b);
  return isSame(prior.cpu, next.cpu) && same(prior.memory, next.memory) && same(prior.disk, next.disk);
}

function replacements(prior: StoredInstance, next: InstanceDeclaration): readonly string[] {
  const changed = (['namespace', 'name', 'lease', 'image'] as const).filter((field) => !isSame(prior[field], next[field]));
  return isSameShape(prior.shape, next.shape) ? changed : [...changed, 'shape'];
}

function failedWarning(prior: StoredInstance, reason: string | null): Findings {
  if (prior.phase !== 'Failed') return [];
  return [warning('InstanceFailed', '', `instance ${idOf(prior)} has failed${reason === null ? '' : ` (${reason})`}`, `It holds no slot and does not start again by itself. Look at \`kubectl describe macosinstance ${prior.name} -n ${prior.namespace}\`, and replace it when the cause is gone.`)];
}

/** Records that the instance stays or is replaced, and judges the slots where that makes a third one certain. */
export async function planInstanceUpdate(core: Core, prior: StoredInstance & { readonly reason: string | null }, next: InstanceDeclaration): Promise<InstanceUpdatePlan> {
  core.run.markStored('instance', idOf(prior));
  const replaces = replacements(prior, next);
  const fate = replaces.length > 0 ? 'delete' : 'keep';
  core.run.declareInstance(prior.lease, idOf(prior), { fate, shape: sizesOf(prior.shape), failed: prior.phase === 'Failed' });
  const general = await previewNotes(core, prior.namespace);
  const lease = tryParseId(prior.lease);
  const slots = lease === undefined || fate === 'delete' ? [] : findingsOf(await judgeKeep(core, lease), instanceSubject(prior, prior.lease));
  const failed = fate === 'keep' ? failedWarning(prior, prior.reason) : [];
  return { findings: [...general, ...slots, ...failed], replaces, writes: replaces.length > 0 || !isSame(prior.running, next.running) };
}
