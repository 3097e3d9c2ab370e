import type { MacOSInstance } from '../../../sdk/api/kinds';
import { isSameQuantity } from '../../../sdk/api/quantity';
import { UNKNOWN as NOT_KNOWN, type Maybe } from '../../../sdk/rules/unknown';
import { instanceIdOf, instancePhase, leaseIdOf, type InstanceDeclaration, type InstanceTarget, type ShapeDeclaration, type ShapeText, type StoredInstance } from '../../core/instance';
import { tryParseId } from '../../core/object-id';
import { asInteger } from '../values/exact-number';
import { isUnknown, UNKNOWN, type Unknown } from '../values/unknown';
import { known, maybe } from './holes';
import type { InstancePlanned, InstanceStored } from './instance-schema';
import { idOfRow } from './lease-row';

/** The part of a row that the user writes, with defaults filled in. */
export type InstanceInputRow = Pick<InstancePlanned, 'namespace' | 'name' | 'lease' | 'image' | 'shape' | 'running' | 'await_ip' | 'timeouts'>;

type ShapeRow = Exclude<InstancePlanned['shape'], Unknown>;
type StoredShape = InstanceStored['shape'];

function namespaceOfLease(lease: string | Unknown): string | Unknown {
  return isUnknown(lease) ? UNKNOWN : tryParseId(lease)?.namespace ?? UNKNOWN;
}

const sameText = (next: string | Unknown, prior: string): string | Unknown => (!isUnknown(next) && isSameQuantity(next, prior) ? prior : next);

/** Sizes that mean the same keep the form that is in the state, so that they are no difference. */
function unlessSameShape(next: InstancePlanned['shape'], prior: StoredShape | undefined): InstancePlanned['shape'] {
  if (isUnknown(next) || prior === undefined) return next;
  return { cpu: next.cpu, memory: sameText(next.memory, prior.memory), disk: sameText(next.disk, prior.disk) };
}

/** The configuration with its defaults. An instance without a namespace lives in that of its lease. */
export function resolveInstance(config: InstancePlanned, prior: InstanceStored | null): InstanceInputRow {
  const { name, lease, image, running, await_ip, timeouts } = config;
  return {
    name, lease, image, await_ip, timeouts,
    namespace: config.namespace ?? namespaceOfLease(lease),
    shape: unlessSameShape(config.shape, prior?.shape),
    running: running ?? true,
  };
}

/** Cores as a number: a fraction stays one, and is refused as such. */
export function coresOf(cpu: ShapeRow['cpu']): Maybe<number> {
  return isUnknown(cpu) ? NOT_KNOWN : asInteger(cpu) ?? Number(cpu);
}

export function shapeOf(shape: InstancePlanned['shape']): Maybe<ShapeDeclaration> {
  return isUnknown(shape) ? NOT_KNOWN : { cpu: coresOf(shape.cpu), memory: maybe(shape.memory), disk: maybe(shape.disk) };
}

export function declarationOf(row: InstanceInputRow): InstanceDeclaration {
  return {
    namespace: maybe(row.namespace) as Maybe<string>, name: maybe(row.name), lease: maybe(row.lease), image: maybe(row.image),
    shape: shapeOf(row.shape), running: maybe(row.running) as Maybe<boolean>,
  };
}

const NOT_YET = { uid: UNKNOWN, phase: UNKNOWN, reason: UNKNOWN, slot: UNKNOWN, node: UNKNOWN, machine_id: UNKNOWN, mac: UNKNOWN, ip: UNKNOWN };

/** A planned row: what the control plane will report is known only where nothing is written. */
export function plannedInstance(row: InstanceInputRow, prior: InstanceStored | null, writes: boolean): InstancePlanned {
  const id = idOfRow({ namespace: row.namespace, name: row.name });
  if (prior === null) return { ...NOT_YET, ...row, id };
  return writes ? { ...NOT_YET, uid: prior.uid, machine_id: prior.machine_id, mac: prior.mac, ...row, id } : { ...prior, ...row, id };
}

function knownShape(shape: InstancePlanned['shape']): ShapeText {
  const { cpu, memory, disk } = known(shape, 'shape');
  return { cpu: Number(known(cpu, 'shape.cpu')), memory: known(memory, 'shape.memory'), disk: known(disk, 'shape.disk') };
}

export function targetOf(row: InstanceInputRow): InstanceTarget {
  return {
    namespace: known(row.namespace, 'namespace') ?? '', name: known(row.name, 'name'), lease: known(row.lease, 'lease'), image: known(row.image, 'image'),
    shape: knownShape(row.shape), running: known(row.running, 'running') ?? true, awaitIp: known(row.await_ip, 'await_ip') ?? false,
  };
}

export function storedOf(row: InstanceStored): StoredInstance & { readonly reason: string | null } {
  return {
    namespace: row.namespace ?? '', name: row.name, uid: row.uid ?? '', lease: row.lease, image: row.image, shape: knownShape(row.shape),
    running: row.running ?? true, phase: row.phase ?? 'Pending', reason: row.reason,
  };
}

function outputsOf(instance: MacOSInstance) {
  const { status, metadata } = instance;
  return {
    uid: metadata.uid,
    phase: instancePhase(instance),
    reason: status?.reason ?? null,
    slot: status?.slot ?? null,
    node: status?.node ?? null,
    machine_id: status?.machineID ?? null,
    mac: status?.mac ?? null,
    ip: status?.ip ?? null,
  };
}

/** The state after an apply: what was planned, and what the server reports. */
export function appliedState(row: InstanceInputRow, instance: MacOSInstance): InstanceStored {
  return { ...(row as Omit<InstanceStored, 'id'>), id: idOfRow(row) as string, ...outputsOf(instance) };
}

/** The state after a change of settings that only the tool knows. */
export function settingsState(prior: InstanceStored, { await_ip, timeouts, shape }: InstanceInputRow): InstanceStored {
  return { ...prior, ...({ await_ip, timeouts, shape } as Partial<InstanceStored>) };
}

/** The state after a refresh. Sizes that mean the same keep the form of the state. */
export function refreshedState(state: InstanceStored, instance: MacOSInstance): InstanceStored {
  const { spec } = instance;
  return {
    ...state,
    lease: leaseIdOf(instance),
    image: spec.image,
    shape: unlessSameShape(spec.shape, state.shape) as StoredShape,
    running: spec.running,
    ...outputsOf(instance),
  };
}

/** The state of an instance that is imported. */
export function importedState(instance: MacOSInstance): InstanceStored {
  const { namespace = '', name } = instance.metadata;
  return {
    id: instanceIdOf(instance), namespace, name, lease: leaseIdOf(instance), image: instance.spec.image, shape: instance.spec.shape,
    running: instance.spec.running, await_ip: null, timeouts: null, ...outputsOf(instance),
  };
}
