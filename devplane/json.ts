/** JSON values and the objects of the API, with accessors for paths that may be absent. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}

export interface OwnerReference {
  [key: string]: Json | undefined;
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
}

export interface ObjectMeta {
  [key: string]: Json | undefined;
  name: string;
  namespace?: string;
  generateName?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

export interface ApiObject {
  [key: string]: Json | undefined;
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path, or undefined where any step is absent. */
export function at(value: Json | undefined, ...path: string[]): Json | undefined {
  return path.reduce<Json | undefined>((here, key) => (isRecord(here) ? here[key] : undefined), value);
}

export function textAt(value: Json | undefined, ...path: string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** The texts of a list of strings; anything else in it is left out. */
export function textsAt(value: Json | undefined, ...path: string[]): string[] {
  return listAt(value, ...path).filter((item) => typeof item === 'string');
}

export function listAt(value: Json | undefined, ...path: string[]): Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function recordAt(value: Json | undefined, ...path: string[]): JsonObject {
  const found = at(value, ...path);
  return isRecord(found) ? found : {};
}

export function clone<T extends Json | undefined>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isEqual(a[key], b[key]));
}

/** RFC 7396: null removes, records merge, all else replaces. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isRecord(patch)) return patch;
  const merged: JsonObject = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}
