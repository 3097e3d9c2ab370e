import type { MacOSInstance } from '../../../sdk/api/kinds';
import { instancePhase, leaseIdOf, type InstanceTarget, type ShapeText, type StoredInstance } from '../../core/instance';
import { isSet, type Props } from '../props';
import { ownerFor } from './owner';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What an instance on the server reports. Absent values are left out: the engine knows no null. */
export function instanceOutputs(instance: MacOSInstance): Props {
  const { status, metadata } = instance;
  const outputs = {
    uid: metadata.uid, phase: instancePhase(instance), reason: status?.reason, slot: status?.slot, node: status?.node,
    machineId: status?.machineID, mac: status?.mac, ip: status?.ip,
  };
  return Object.fromEntries(Object.entries(outputs).filter(([, value]) => isSet(value)));
}

function shapeOf(shape: unknown): ShapeText {
  const { cpu, memory, disk } = (shape ?? {}) as Partial<Record<keyof ShapeText, unknown>>;
  return { cpu: typeof cpu === 'number' ? cpu : 0, memory: text(memory), disk: text(disk) };
}

/** The instance that inputs without holes ask for. */
export function instanceTarget(inputs: Props): InstanceTarget {
  return {
    namespace: text(inputs.namespace), name: text(inputs.name), lease: text(inputs.lease), image: text(inputs.image), shape: shapeOf(inputs.shape),
    running: inputs.running !== false, awaitIp: inputs.awaitIp === true, owner: ownerFor(inputs.owner),
  };
}

/** An instance as a state has it, with why it failed. */
export type StateInstance = StoredInstance & { readonly reason: string | null };

/** Inputs alone say nothing of its phase; only Failed makes a difference there. */
export function storedInstance(state: Props): StateInstance {
  const { awaitIp: _awaitIp, owner: _owner, ...inputs } = instanceTarget(state);
  return { ...inputs, uid: text(state.uid), phase: text(state.phase), reason: typeof state.reason === 'string' ? state.reason : null };
}

/** The same of the object on the server: what a state would hold of it. */
export function storedOnServer(instance: MacOSInstance): StateInstance {
  const { metadata: { namespace = '', name, uid }, spec: { image, shape, running }, status } = instance;
  return { namespace, name, uid, lease: leaseIdOf(instance), image, shape, running, phase: instancePhase(instance), reason: status?.reason ?? null };
}
