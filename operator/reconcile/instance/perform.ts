import { API_VERSION, Finalizer, Kinds, type MacOSInstance } from '../../../sdk/api';
import { isFault } from '../../../sdk/client/errors';
import type { Context } from '../context';
import { statusPatch } from '../engine/status-diff';
import { removeExactly, swap, swapStatus, withFinalizer, withoutFinalizer } from '../engine/write';
import type { GroupFacts } from './facts';
import { podOf } from './pod';
import type { InstanceStep } from './steps';

async function adopt({ plane }: Context, { lease }: GroupFacts, instance: MacOSInstance): Promise<void> {
  if (lease === null) return;
  const owner = { apiVersion: API_VERSION, kind: Kinds.MacNodeLease.kind, name: lease.metadata.name, uid: lease.metadata.uid, controller: true, blockOwnerDeletion: true };
  const others = (instance.metadata.ownerReferences ?? []).filter((o) => o.uid !== owner.uid && o.kind !== owner.kind);
  await swap(plane, Kinds.MacOSInstance, instance, { metadata: { finalizers: withFinalizer(instance, Finalizer.Vm), ownerReferences: [...others, owner] } });
}

async function createPod({ plane }: Context, { claim }: GroupFacts, instance: MacOSInstance, slot: number): Promise<void> {
  if (claim === null) throw new Error(`instance ${instance.metadata.name} has no claim to start on`);
  // Another pod of the slot's name is a lost race: the next look sees whose it is.
  await plane.create(Kinds.Pod, podOf(instance, slot, claim)).catch((error: unknown) => {
    if (!isFault(error, 'AlreadyExists')) throw error;
  });
}

/** Takes one step of a group of instances. */
export async function performGroup(context: Context, step: InstanceStep, facts: GroupFacts): Promise<void> {
  const { plane, audit } = context;
  switch (step.do) {
    case 'Adopt':
      return adopt(context, facts, step.instance);
    case 'WriteStatus':
      if (step.event !== undefined) await audit.append(step.event);
      return void (await swapStatus(plane, Kinds.MacOSInstance, step.instance, statusPatch(step.instance.status, step.status) ?? {}));
    case 'PatchNode':
      if (facts.mac.node === null) throw new Error(`the node of lease ${facts.namespace}/${facts.leaseName} is gone`);
      return void (await swap(plane, Kinds.Node, facts.mac.node, step.patch));
    case 'CreatePod':
      return createPod(context, facts, step.instance, step.slot);
    case 'DeletePod':
      return removeExactly(plane, Kinds.Pod, step.pod).catch((error: unknown) => {
        if (!isFault(error, 'NotFound')) throw error;
      });
    case 'DropFinalizer':
      return void (await swap(plane, Kinds.MacOSInstance, step.instance, { metadata: { finalizers: withoutFinalizer(step.instance, Finalizer.Vm) } }));
  }
}
