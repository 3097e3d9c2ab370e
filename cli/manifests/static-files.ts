import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { admissionConfiguration, staticFolder, staticWebhook, type StaticPlugin, type WebhookConfiguration } from '../../realplane/static-admission';
import { readAuthority } from './objects';
import type { ManifestRequest } from './options';
import type { Part } from './parts';
import { folderOf, sourceOf } from './source';

/** Path below the directory of the admission files → text. */
export type StaticFiles = ReadonlyMap<string, string>;

const yaml = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

/** Policies are files as they are, with the reasons in their comments. */
function policyFiles(folder: string, plugin: StaticPlugin): [string, string][] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml')).sort();
  return names.map((name) => [join(staticFolder(plugin), name), readFileSync(join(folder, name), 'utf8')]);
}

function webhookFiles(deploy: string, origin: string, ca: string): [string, string][] {
  return sourceOf(deploy, 'webhooks').map((configuration) => {
    const { plugin, object } = staticWebhook(configuration as WebhookConfiguration, origin, ca);
    return [join(staticFolder(plugin), 'macrack.yaml'), yaml(object)];
  });
}

function filesOf(deploy: string, part: Part, { admissionDir, webhookCa, webhookOrigin }: ManifestRequest): [string, string][] {
  switch (part) {
    case 'admission': return [['admission.yaml', yaml(admissionConfiguration(admissionDir))]];
    case 'policies': return policyFiles(folderOf(deploy, part), 'ValidatingAdmissionPolicy');
    case 'mutating-policies': return policyFiles(folderOf(deploy, part), 'MutatingAdmissionPolicy');
    case 'webhooks': return webhookFiles(deploy, webhookOrigin ?? '', readAuthority(webhookCa ?? ''));
    default: return [];
  }
}

/** The files of the control-plane hosts that are asked for. */
export function requestedFiles(deploy: string, request: ManifestRequest): StaticFiles {
  return new Map(request.files.flatMap((part) => filesOf(deploy, part, request)));
}
