import { Annotation, type MacOSInstance, type Node, type Pod } from '../../../sdk/api';
import { keptDisks } from './keep-disks';

/** What instances left on the Mac that went without their finalizer, as when a tenant took it off: pods that run, disks that are kept. */
export interface Leftovers {
  readonly pods: readonly Pod[];
  /** UIDs of the instances. */
  readonly disks: readonly string[];
}

/** `node` is the lease's own; null where it has none, or where the Mac may be another's by now. */
export function leftoversOf(instances: readonly MacOSInstance[], pods: readonly (Pod | null)[], node: Node | null): Leftovers {
  const uids = new Set(instances.map(({ metadata }) => metadata.uid));
  const isGone = (uid: string | undefined): uid is string => uid !== undefined && !uids.has(uid);
  return {
    pods: pods.filter((pod): pod is Pod => pod !== null && isGone(pod.metadata.annotations?.[Annotation.InstanceUID])),
    disks: node === null ? [] : keptDisks(node).filter(isGone),
  };
}

export const isNothing = ({ pods, disks }: Leftovers): boolean => pods.length === 0 && disks.length === 0;
