import { randomUUID } from 'node:crypto';
import { GROUP } from '../../../api/names';
import type { Kind, KubeObject, NewObject } from '../../../api/object';
import { formatInstant, instant, type Instant } from '../../../rules/instant';
import type { PatchOptions, Preconditions } from '../../control-plane';
import { apiVersionOf } from '../../resource-path';
import { mergePatch } from './merge-patch';
import { wired } from './object-store';

const DEFAULT_GRACE_S = 30;

// The server counts the changes of custom resources and of pods.
const isCounted = (kind: Kind): boolean => kind.group === GROUP || kind.kind === 'Pod';

function withStatus({ status: _, ...object }: KubeObject, status: unknown): KubeObject {
  return status === undefined ? object : { ...object, status };
}

/** An object as the server makes it. Custom resources begin without a status, whatever was sent. */
export function newObject(kind: Kind, sent: NewObject, now: Instant): KubeObject {
  const metadata = { ...sent.metadata, uid: randomUUID(), resourceVersion: '', creationTimestamp: formatInstant(now), ...(isCounted(kind) && { generation: 1 }) };
  const object = { spec: {}, ...sent, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  return wired(kind.group === GROUP ? withStatus(object, undefined) : object);
}

/** True if the object is another one, or has moved on. */
export function isStale({ metadata }: KubeObject, { uid = metadata.uid, resourceVersion = metadata.resourceVersion }: Preconditions): boolean {
  return uid !== metadata.uid || resourceVersion !== metadata.resourceVersion;
}

const desired = ({ metadata: _, ...object }: KubeObject): string => JSON.stringify(withStatus(object as KubeObject, undefined));

/** The object after a patch, which reaches either the status alone or everything but the status and what the server alone says. */
export function patchedObject(old: KubeObject, patch: object, subresource: PatchOptions['subresource']): KubeObject {
  const merged = mergePatch(old, wired(patch)) as KubeObject;
  if (subresource !== undefined) return withStatus(old, merged.status);
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation } = old.metadata;
  const counted = generation === undefined || desired(merged) === desired(old) ? generation : generation + 1;
  const kept = { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, generation: counted };
  return wired({ ...withStatus(merged, old.status), metadata: { ...merged.metadata, ...kept } as KubeObject['metadata'] });
}

/** What is being deleted takes no further finalizer. */
export function hasNewFinalizer(old: KubeObject, next: KubeObject): boolean {
  return old.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).some((finalizer) => !old.metadata.finalizers?.includes(finalizer));
}

/** Seconds that a pod has to end; only one that is on a node and has not ended has any. */
function graceOf({ kind, spec, status }: KubeObject, asked: number | undefined): number {
  const { nodeName, terminationGracePeriodSeconds = DEFAULT_GRACE_S } = (spec ?? {}) as { nodeName?: string; terminationGracePeriodSeconds?: number };
  const { phase = '' } = (status ?? {}) as { phase?: string };
  return kind !== 'Pod' || nodeName === undefined || ['Failed', 'Succeeded'].includes(phase) ? 0 : asked ?? terminationGracePeriodSeconds;
}

/** The object once its deletion was asked for; a later deletion may bring the end nearer, never further. */
export function terminating(old: KubeObject, now: Instant, asked: number | undefined): KubeObject {
  const grace = graceOf(old, asked);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation } = old.metadata;
  if (deletionTimestamp !== undefined && grace >= deletionGracePeriodSeconds) return old;
  const marks = { deletionTimestamp: formatInstant(instant(now + grace * 1000)), deletionGracePeriodSeconds: grace, ...(generation !== undefined && { generation: generation + 1 }) };
  return { ...old, metadata: { ...old.metadata, ...marks } };
}

/** Neither a finalizer nor the grace of a pod keeps it any more. */
export function isFinished({ metadata: { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } }: KubeObject): boolean {
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0;
}
