import type { Json, JsonObject } from '../json';
import { isEqual, isRecord } from '../json';
import { badRequest } from '../server/status-error';

/** Keys by which Kubernetes merges lists of objects; a list of another name is replaced whole. From the patchMergeKey tags of its types. */
const mergeKeys: Record<string, string> = {
  containers: 'name', initContainers: 'name', ephemeralContainers: 'name', volumes: 'name', env: 'name', conditions: 'type', ownerReferences: 'uid', imagePullSecrets: 'name', addresses: 'type',
};
/** Lists of plain values that are merged as sets. */
const sets = ['finalizers', 'podCIDRs'];

const order = '$setElementOrder/';
const deletion = '$deleteFromPrimitiveList/';

function mergeObjects(target: JsonObject, patch: JsonObject): JsonObject {
  if (patch.$patch === 'replace') return without(patch);
  if (patch.$patch === 'delete') return {};
  const retained = Array.isArray(patch.$retainKeys) ? patch.$retainKeys : undefined;
  const merged: JsonObject = Object.fromEntries(Object.entries(target).filter(([name]) => retained?.includes(name) ?? true));
  for (const [name, value] of Object.entries(patch)) {
    if (name === '$retainKeys' || name.startsWith(order)) continue;
    if (name.startsWith(deletion)) {
      const list = name.slice(deletion.length);
      merged[list] = items(merged[list]).filter((item) => !items(value).some((gone) => isEqual(gone, item)));
    } else if (value === null || value === undefined) delete merged[name];
    else merged[name] = mergeValue(name, merged[name], value);
  }
  return ordered(merged, patch);
}

const items = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const without = (patch: JsonObject): JsonObject => Object.fromEntries(Object.entries(patch).filter(([name]) => !name.startsWith('$')));

function mergeValue(name: string, target: Json | undefined, patch: Json): Json {
  if (isRecord(patch)) return mergeObjects(isRecord(target) ? target : {}, patch);
  if (!Array.isArray(patch)) return patch;
  const key = mergeKeys[name];
  if (key !== undefined) return mergeLists(items(target), patch, key);
  return sets.includes(name) ? [...items(target), ...patch.filter((item) => !items(target).some((present) => isEqual(present, item)))] : patch;
}

function mergeLists(target: Json[], patch: Json[], key: string): Json[] {
  if (patch.some((item) => isRecord(item) && item.$patch === 'replace' && item[key] === undefined)) return patch.filter((item) => !(isRecord(item) && item.$patch === 'replace'));
  let merged = [...target];
  for (const item of patch) {
    if (!isRecord(item) || item[key] === undefined) throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
    const place = merged.findIndex((candidate) => isRecord(candidate) && isEqual(candidate[key], item[key]));
    if (item.$patch === 'delete') merged = merged.filter((_, index) => index !== place);
    else if (place < 0) merged.push(without(item));
    else merged[place] = mergeObjects(merged[place] as JsonObject, item);
  }
  return merged;
}

/** `$setElementOrder/<list>` names keys (or values) in the order that the client wants; what it does not name stays behind. */
function ordered(merged: JsonObject, patch: JsonObject): JsonObject {
  for (const [directive, wanted] of Object.entries(patch).filter(([name]) => name.startsWith(order))) {
    const name = directive.slice(order.length);
    const key = mergeKeys[name];
    const rank = (item: Json) => {
      const found = items(wanted).findIndex((entry) => (key !== undefined && isRecord(entry) && isRecord(item) ? isEqual(entry[key], item[key]) : isEqual(entry, item)));
      return found < 0 ? Infinity : found;
    };
    const list = merged[name];
    if (Array.isArray(list)) merged[name] = list.map((item, index) => ({ item, index })).sort((a, b) => (rank(a.item) === rank(b.item) ? a.index - b.index : rank(a.item) - rank(b.item))).map(({ item }) => item);
  }
  return merged;
}

/** A strategic merge patch, which Kubernetes takes for its own kinds only; what `kubectl apply`, `taint` and `cordon` send for them. */
export function strategicMerge(target: Json, patch: JsonObject): Json {
  return mergeObjects(isRecord(target) ? target : {}, patch);
}
