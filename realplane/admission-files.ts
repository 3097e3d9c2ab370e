import { copyFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ApiObject } from '../devplane/json';
import { readManifests } from '../devplane/manifests';

const API = 'apiserver.config.k8s.io/v1';

/** The plugins that read files, each with its directory. */
const PLUGINS = [
  { name: 'ValidatingAdmissionPolicy', kind: 'ValidatingAdmissionPolicyConfiguration', folder: 'vap' },
  { name: 'MutatingAdmissionPolicy', kind: 'MutatingAdmissionPolicyConfiguration', folder: 'map' },
  { name: 'ValidatingAdmissionWebhook', kind: 'WebhookAdmissionConfiguration', folder: 'vwh' },
  { name: 'MutatingAdmissionWebhook', kind: 'WebhookAdmissionConfiguration', folder: 'mwh' },
] as const;

export type StaticPlugin = (typeof PLUGINS)[number]['name'];

interface Webhook { clientConfig: { url: string; caBundle?: string } }
type WebhookConfiguration = ApiObject & { webhooks: Webhook[] };

const isManifest = (name: string): boolean => /\.(ya?ml|json)$/.test(name);

function copyManifests(from: string, to: string): void {
  for (const name of readdirSync(from).filter(isManifest)) copyFileSync(join(from, name), join(to, name));
}

/**
 * The name that a static object must have, and that the API refuses: `mutate.macrack.io` in the files for the API is
 * `mutate.macrack.static.k8s.io` here. Names of policies end so already.
 */
export function staticName(name: string): string {
  return name.endsWith('.static.k8s.io') ? name : `${name.replace(/\.io$/, '')}.static.k8s.io`;
}

function redirected(configuration: WebhookConfiguration, origin: string, ca: string): WebhookConfiguration {
  const webhooks = configuration.webhooks.map((webhook) => {
    const { pathname } = new URL(webhook.clientConfig.url);
    return { ...webhook, clientConfig: { url: `${origin}${pathname}`, caBundle: Buffer.from(ca).toString('base64') } };
  });
  return { ...configuration, metadata: { ...configuration.metadata, name: staticName(configuration.metadata.name) }, webhooks };
}

/** The admission files of one API server, which no user of the API can read or change. */
export class AdmissionFiles {
  /** For --admission-control-config-file. */
  readonly configuration: string;

  constructor(private readonly directory: string, private readonly deploy: string) {
    for (const { folder } of PLUGINS) mkdirSync(join(directory, folder), { recursive: true });
    this.configuration = join(directory, 'admission.yaml');
    writeFileSync(this.configuration, stringify({
      apiVersion: API, kind: 'AdmissionConfiguration',
      plugins: PLUGINS.map(({ name, kind, folder }) => ({ name, configuration: { apiVersion: API, kind, staticManifestsDir: join(directory, folder) } })),
    }));
  }

  /** The directory that a plugin reads. */
  folder(plugin: StaticPlugin): string {
    return join(this.directory, PLUGINS.find(({ name }) => name === plugin)?.folder ?? '');
  }

  /** Puts a file in place, or another in its stead; the server reloads by itself. */
  write(plugin: StaticPlugin, name: string, text: string): void {
    const aside = join(this.directory, `${name}.new`);
    writeFileSync(aside, text);
    renameSync(aside, join(this.folder(plugin), name));
  }

  /** The policies of deploy/, as they are. */
  writePolicies(): void {
    copyManifests(join(this.deploy, 'policies'), this.folder('ValidatingAdmissionPolicy'));
    copyManifests(join(this.deploy, 'policies', 'mutating'), this.folder('MutatingAdmissionPolicy'));
  }

  /** Sends both webhooks of deploy/ to an operator. @param ca PEM */
  writeWebhooks(origin: string, ca: string): void {
    for (const manifest of readManifests(join(this.deploy, 'webhooks'))) {
      const plugin = manifest.kind === 'MutatingWebhookConfiguration' ? 'MutatingAdmissionWebhook' : 'ValidatingAdmissionWebhook';
      this.write(plugin, 'macrack.yaml', stringify(redirected(manifest as WebhookConfiguration, origin, ca)));
    }
  }
}
