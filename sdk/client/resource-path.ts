import type { Kind } from '../api/object';
import type { ObjectRef } from './control-plane';
import { PlaneError } from './errors';

const base = (kind: Kind): string => (kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`);

/** `group/version` as objects carry it. */
export function apiVersionOf(kind: Kind): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

// As Kubernetes does: a name of another form would address another object, or the whole collection.
function segment(value: string, method: string, path: string): string {
  if (value !== '' && value !== '.' && value !== '..' && !/[/%]/.test(value)) return encodeURIComponent(value);
  throw new PlaneError({ fault: 'Invalid', method, path }, `${JSON.stringify(value)} is not a name`);
}

/** Path of a list or of a create; without a namespace that of all namespaces. */
export function collectionPath(kind: Kind, namespace: string | undefined, method: string): string {
  if (!kind.namespaced || namespace === undefined) return `${base(kind)}/${kind.plural}`;
  return `${base(kind)}/namespaces/${segment(namespace, method, base(kind))}/${kind.plural}`;
}

/** Like `collectionPath`, for one object: a namespaced kind must say where. */
export function placedPath(kind: Kind, namespace: string | undefined, method: string): string {
  if (kind.namespaced && namespace === undefined) throw new PlaneError({ fault: 'Invalid', method, path: base(kind) }, `a ${kind.kind} lives in a namespace, and none is given`);
  return collectionPath(kind, namespace, method);
}

export function objectPath(kind: Kind, ref: ObjectRef, method: string, subresource?: string): string {
  const collection = placedPath(kind, ref.namespace, method);
  return `${collection}/${segment(ref.name, method, collection)}${subresource === undefined ? '' : `/${subresource}`}`;
}
