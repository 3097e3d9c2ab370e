import type { JsonObject } from '../json';
import { apiVersionOf, type ResourceDefinition } from '../resources/definition';
import type { ResourceRegistry } from '../resources/registry';

const version: JsonObject = {
  major: '1', minor: '37', gitVersion: 'v1.37.0-macrack-devplane', platform: 'development plane: no compliance claim',
  gitCommit: '', gitTreeState: '', buildDate: '1970-01-01T00:00:00Z', goVersion: '', compiler: '',
};

function groupOf(group: string, versionName: string): JsonObject {
  const preferred = { groupVersion: `${group}/${versionName}`, version: versionName };
  return { name: group, versions: [preferred], preferredVersion: preferred };
}

function describe(definition: ResourceDefinition): JsonObject[] {
  const { resource, singular, namespaced, kind, verbs, shortNames, categories } = definition;
  const main = { name: resource, singularName: singular, namespaced, kind, verbs: [...verbs], ...(shortNames.length > 0 && { shortNames }), ...(categories.length > 0 && { categories }) };
  const kinds: Record<string, JsonObject> = { binding: { kind: 'Binding', verbs: ['create'] }, eviction: { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] }, finalize: { kind, verbs: ['update'] } };
  return [main, ...definition.subresources.map((name) => ({ name: `${resource}/${name}`, singularName: '', namespaced, ...(kinds[name] ?? { kind, verbs: ['get', 'patch', 'update'] }) }))];
}

/** Virtual resources: created, never stored. */
const virtual = (group: string, kind: string) => ({ group, apiVersion: `${group}/v1`, resource: `${kind.toLowerCase()}s`, entry: { name: `${kind.toLowerCase()}s`, singularName: kind.toLowerCase(), namespaced: false, kind, verbs: ['create'] } satisfies JsonObject });
export const accessReview = virtual('authorization.k8s.io', 'SelfSubjectAccessReview');
export const identityReview = virtual('authentication.k8s.io', 'SelfSubjectReview');

function groupVersions(resources: ResourceRegistry): Map<string, { group: string; version: string; entries: JsonObject[] }> {
  const found = new Map([accessReview, identityReview].map(({ apiVersion, group, entry }) => [apiVersion, { group, version: 'v1', entries: [entry as JsonObject] }]));
  for (const definition of resources.all()) {
    const key = apiVersionOf(definition);
    const entry = found.get(key) ?? { group: definition.group, version: definition.version, entries: [] };
    found.set(key, { ...entry, entries: [...entry.entries, ...describe(definition)] });
  }
  return found;
}

/** The answer to a discovery path, or undefined when the path is none. */
export function discover(path: string, resources: ResourceRegistry): JsonObject | undefined {
  const found = groupVersions(resources);
  const groups = [...found.values()].filter(({ group }) => group !== '');
  if (path === '/version') return version;
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((entry) => groupOf(entry.group, entry.version)) };
  const entry = found.get(path.replace(/^\/apis?\//, ''));
  if (entry && path === (entry.group ? `/apis/${entry.group}/${entry.version}` : '/api/v1')) {
    return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: apiVersionOf(entry), resources: entry.entries };
  }
  const group = groups.find((candidate) => path === `/apis/${candidate.group}`);
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group.group, group.version) };
}
