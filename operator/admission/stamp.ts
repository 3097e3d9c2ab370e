import { Annotation } from '../../sdk/api/names';
import type { KubeObject } from '../../sdk/api/object';
import type { AdmissionRequest, PatchOperation } from './review';

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
const annotationsOf = (object: KubeObject | null | undefined): Readonly<Record<string, string>> => object?.metadata.annotations ?? {};
const asksRelease = (object: KubeObject | null | undefined): boolean => (object?.spec as { release?: boolean } | undefined)?.release === true;

/** Operations that make the annotations what they should be, whatever the request says of them; undefined removes one. */
function annotate(object: KubeObject, wanted: Readonly<Record<string, string | undefined>>): PatchOperation[] {
  const present = object.metadata.annotations;
  const changed = Object.entries(wanted).filter(([key, value]) => present?.[key] !== value);
  if (changed.length === 0) return [];
  const operations = changed.map(([key, value]): PatchOperation =>
    (value === undefined ? { op: 'remove', path: `/metadata/annotations/${escape(key)}` } : { op: 'add', path: `/metadata/annotations/${escape(key)}`, value }));
  return present === undefined || present === null ? [{ op: 'add', path: '/metadata/annotations', value: {} }, ...operations] : operations;
}

/** Who created the object: stamped at create, unchangeable after it. */
function requestedBy({ operation, userInfo, oldObject }: AdmissionRequest): string | undefined {
  return operation === 'CREATE' ? userInfo.username : annotationsOf(oldObject)[Annotation.RequestedBy];
}

/** Who last set `spec.release`; nobody while it is not set. */
function releaseRequestedBy({ userInfo, object, oldObject }: AdmissionRequest): string | undefined {
  if (!asksRelease(object)) return undefined;
  return asksRelease(oldObject) ? annotationsOf(oldObject)[Annotation.ReleaseRequestedBy] : userInfo.username;
}

export function stampLease(request: AdmissionRequest, object: KubeObject): PatchOperation[] {
  return annotate(object, { [Annotation.RequestedBy]: requestedBy(request), [Annotation.ReleaseRequestedBy]: releaseRequestedBy(request) });
}

export function stampInstance(request: AdmissionRequest, object: KubeObject): PatchOperation[] {
  return annotate(object, { [Annotation.RequestedBy]: requestedBy(request) });
}
