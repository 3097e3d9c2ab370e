import { join } from 'node:path';
import type { ApiObject, Json, JsonObject } from '../../devplane/json';
import { readManifests } from '../../devplane/manifests';

/** The tenant of the template. */
const TEMPLATE = 'tenant-a';
const INSTANCES_OF_A_LEASE = 2;

function renamed(value: Json, tenant: string): Json {
  if (typeof value === 'string') return value === TEMPLATE || value.startsWith(`${TEMPLATE}-`) ? `${tenant}${value.slice(TEMPLATE.length)}` : value;
  if (Array.isArray(value)) return value.map((each) => renamed(each, tenant));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, renamed(each ?? null, tenant)]));
}

function limited(object: ApiObject, leases: number | undefined): ApiObject {
  if (object.kind !== 'ResourceQuota' || leases === undefined) return object;
  const instances = String(leases * INSTANCES_OF_A_LEASE);
  return { ...object, spec: { ...object.spec as JsonObject, hard: { 'count/macnodeleases.macrack.io': String(leases), 'count/macosinstances.macrack.io': instances, 'requests.macrack.io/macos-vm': instances } } };
}

/** The template of deploy/tenant for one tenant. @param leases of its quota; default: that of the template */
export function tenantObjects(deploy: string, tenant: string, leases?: number): ApiObject[] {
  return readManifests(join(deploy, 'tenant')).map((object) => limited(renamed(object, tenant) as ApiObject, leases));
}
