import { Annotation, type MacOSInstance, type Pod } from '../../../sdk/api';
import { INSTANCES_PER_CHASSIS } from '../../../sdk/rules/limits';

/** Who has which slot of a lease, and who came too late for one. By instance UID. */
export interface SlotPlan {
  readonly slots: ReadonlyMap<string, number>;
  readonly surplus: ReadonlySet<string>;
}

const byAge = (a: MacOSInstance, b: MacOSInstance): number => {
  const x = `${a.metadata.creationTimestamp} ${a.metadata.uid}`;
  const y = `${b.metadata.creationTimestamp} ${b.metadata.uid}`;
  return x < y ? -1 : x > y ? 1 : 0;
};

/** The instance whose pod has the slot's name, or the oldest that says it has the slot. */
function winner(slot: number, holders: readonly MacOSInstance[], pod: Pod | null | undefined): MacOSInstance | undefined {
  const claimants = holders.filter((i) => i.status?.slot === slot);
  return claimants.find((i) => i.metadata.uid === pod?.metadata.annotations?.[Annotation.InstanceUID]) ?? claimants[0];
}

/**
 * Slots of a lease, by creation stamp and then uid. A slot once given stays until its instance is gone or Failed; where two operators gave one
 * slot twice, the instance that has the pod keeps it. Without `open` no new slot is given (the lease takes no new instances).
 */
export function assignSlots(instances: readonly MacOSInstance[], pods: readonly (Pod | null)[], open: boolean): SlotPlan {
  const holders = instances.filter((i) => i.status?.phase !== 'Failed').sort(byAge);
  const slots = new Map<string, number>();
  const free: number[] = [];
  for (let slot = 0; slot < INSTANCES_PER_CHASSIS; slot += 1) {
    const has = winner(slot, holders, pods[slot]);
    if (has === undefined) free.push(slot);
    else slots.set(has.metadata.uid, slot);
  }
  const surplus = new Set<string>();
  for (const { metadata } of open ? holders : []) {
    if (slots.has(metadata.uid) || metadata.deletionTimestamp !== undefined) continue;
    const slot = free.shift();
    if (slot === undefined) surplus.add(metadata.uid);
    else slots.set(metadata.uid, slot);
  }
  return { slots, surplus };
}
