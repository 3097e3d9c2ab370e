import { join } from 'node:path';
import type { ApiObject } from '../../devplane/json';
import { readManifests } from '../../devplane/manifests';
import type { Part } from './parts';

/** Folder of each part below deploy/, the one source of all manifests. The configuration of the plugins has none: it only names directories. */
const FOLDERS: Readonly<Record<Exclude<Part, 'admission'>, string>> = {
  namespace: 'namespace', crds: 'crds', rbac: 'rbac', classes: 'classes', 'clock-policy': 'clock-policy',
  policies: 'policies', 'mutating-policies': join('policies', 'mutating'), webhooks: 'webhooks', operator: 'operator',
};

export function folderOf(deploy: string, part: Exclude<Part, 'admission'>): string {
  return join(deploy, FOLDERS[part]);
}

/** The objects of a part as deploy/ has them. */
export function sourceOf(deploy: string, part: Exclude<Part, 'admission'>): ApiObject[] {
  return readManifests(folderOf(deploy, part));
}
