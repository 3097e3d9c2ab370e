import type { AdmissionResponse, PatchOperation } from '../admission/review';

/** Applies the operations that the webhook uses (RFC 6902 add and remove of object members), for its tests. */
export function applyPatch(object: unknown, { patch }: AdmissionResponse): unknown {
  const result: unknown = structuredClone(object);
  const operations = patch === undefined ? [] : (JSON.parse(Buffer.from(patch, 'base64').toString()) as PatchOperation[]);
  for (const { op, path, value } of operations) {
    const keys = path.split('/').slice(1).map((k) => k.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop() ?? '';
    const parent = keys.reduce((at: unknown, key) => (at as Record<string, unknown>)[key], result) as Record<string, unknown>;
    if (op === 'remove') delete parent[last];
    else parent[last] = value;
  }
  return result;
}
