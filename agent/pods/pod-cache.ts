import { Kinds } from '../../sdk/api/kinds';
import type { Pod } from '../../sdk/api/core-objects';
import type { ControlPlane, Watching } from '../../sdk/client/control-plane';

/** The pods that are bound to the node, by UID, as the watch last told. */
export class PodCache {
  readonly #pods = new Map<string, Pod>();
  #watching: Watching | undefined;
  #hasListed = false;

  /** @param onPod told the UID of each pod that came, changed or went. @param onList told after each whole list. */
  watch(plane: ControlPlane, node: string, onPod: (uid: string) => void, onList: () => void, onFault: (error: unknown) => void): void {
    this.#watching = plane.watch(Kinds.Pod, { fieldSelector: `spec.nodeName=${node}` }, {
      onSync: (pods) => {
        const gone = [...this.#pods.keys()];
        this.#pods.clear();
        for (const pod of pods) this.#pods.set(pod.metadata.uid, pod);
        this.#hasListed = true;
        for (const uid of new Set([...gone, ...this.#pods.keys()])) onPod(uid);
        onList();
      },
      onChange: (type, pod) => {
        if (type === 'DELETED') this.#pods.delete(pod.metadata.uid);
        else this.#pods.set(pod.metadata.uid, pod);
        onPod(pod.metadata.uid);
      },
      onFault,
    });
  }

  /** False while it is not known which pods there are: nobody's pod counts as gone then. */
  get isComplete(): boolean {
    return this.#hasListed && this.#watching?.isSynced() === true;
  }

  get(uid: string): Pod | undefined {
    return this.#pods.get(uid);
  }

  all(): readonly Pod[] {
    return [...this.#pods.values()];
  }

  /** Takes the answer of a write of our own, ahead of the watch. */
  put(pod: Pod): void {
    if (this.#pods.has(pod.metadata.uid)) this.#pods.set(pod.metadata.uid, pod);
  }

  stop(): void {
    this.#watching?.stop();
  }
}
