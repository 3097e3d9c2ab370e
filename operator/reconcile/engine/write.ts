import type { Kind, KubeObject } from '../../../sdk/api/object';
import type { ControlPlane } from '../../../sdk/client/control-plane';

const ref = ({ metadata }: KubeObject) => (metadata.namespace === undefined ? { name: metadata.name } : { namespace: metadata.namespace, name: metadata.name });
const preconditions = ({ metadata }: KubeObject) => ({ uid: metadata.uid, resourceVersion: metadata.resourceVersion });

/** Compare-and-swap of metadata or spec against the object as it was read. */
export async function swap<T extends KubeObject>(plane: ControlPlane, kind: Kind<T>, object: T, patch: object): Promise<T> {
  return plane.patch(kind, ref(object), patch, { preconditions: preconditions(object) });
}

/** Compare-and-swap of fields of the status; null removes a field. */
export async function swapStatus<T extends KubeObject>(plane: ControlPlane, kind: Kind<T>, object: T, fields: object): Promise<T> {
  return plane.patch(kind, ref(object), { status: fields }, { subresource: 'status', preconditions: preconditions(object) });
}

/** Deletes this object, not another of its name. */
export async function removeExactly<T extends KubeObject>(plane: ControlPlane, kind: Kind<T>, object: T): Promise<void> {
  return plane.remove(kind, ref(object), { preconditions: { uid: object.metadata.uid } });
}

/** Adds a finalizer together with other metadata. */
export function withFinalizer(object: KubeObject, finalizer: string): string[] {
  return [...(object.metadata.finalizers ?? []).filter((f) => f !== finalizer), finalizer];
}

export function withoutFinalizer(object: KubeObject, finalizer: string): string[] {
  return (object.metadata.finalizers ?? []).filter((f) => f !== finalizer);
}

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return (object.metadata.finalizers ?? []).includes(finalizer);
}
