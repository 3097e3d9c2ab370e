import type { KubeObject } from '../../sdk/api/object';
import type { Selection } from '../../sdk/client/control-plane';

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON merge patch, RFC 7386. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const result: Fields = isFields(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = mergePatch(result[key], value);
  }
  return result;
}

/** A selection by namespace, label presence or equality. */
export function selects({ namespace, labelSelector }: Selection): (object: KubeObject) => boolean {
  const [label = '', value] = (labelSelector ?? '').split('=');
  return ({ metadata }) => (namespace === undefined || metadata.namespace === namespace)
    && (label === '' || (value === undefined ? metadata.labels?.[label] !== undefined : metadata.labels?.[label] === value));
}
