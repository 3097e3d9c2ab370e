import { Annotation, type Node } from '../../../sdk/api';

/** UIDs of the instances whose disks the agent must keep. */
export function keptDisks(node: Node): string[] {
  return (node.metadata.annotations?.[Annotation.KeepDisks] ?? '').split(',').filter((uid) => uid !== '');
}

const patch = (uids: readonly string[]): object => ({ metadata: { annotations: { [Annotation.KeepDisks]: [...new Set(uids)].sort().join(',') } } });

/** The patch that has a disk kept; null when it is. Written before the pod, so that the agent never sees a pod whose disk may go. */
export function keepPatch(node: Node, uid: string): object | null {
  const kept = keptDisks(node);
  return kept.includes(uid) ? null : patch([...kept, uid]);
}

/** The patch that gives a disk up; null when it is not kept. */
export function giveUpPatch(node: Node, uid: string): object | null {
  const kept = keptDisks(node);
  return kept.includes(uid) ? patch(kept.filter((k) => k !== uid)) : null;
}
