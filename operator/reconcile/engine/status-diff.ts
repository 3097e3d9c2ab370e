import { canonicalJson } from '../../audit/canonical-json';

/** A wanted status: undefined means "absent", a field that is not named stays. */
export type Wanted<S> = { readonly [K in keyof S]?: S[K] | undefined };

/**
 * The merge patch from a status to the wanted one; null when nothing changes. Fields in `passive` are written only together with another
 * change: they would otherwise cost a write at every heartbeat.
 */
export function statusPatch<S extends object>(current: S | undefined, wanted: Wanted<S>, passive: readonly (keyof S)[] = []): Record<string, unknown> | null {
  const now = (current ?? {}) as Record<string, unknown>;
  const changed = Object.entries(wanted).filter(([field, value]) => canonicalJson(now[field]) !== canonicalJson(value));
  if (changed.every(([field]) => passive.includes(field as keyof S))) return null;
  return Object.fromEntries(changed.map(([field, value]) => [field, value ?? null]));
}
