import { copyFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readManifests } from '../devplane/manifests';
import { admissionConfiguration, STATIC_PLUGINS, staticFolder, type StaticPlugin, staticWebhook, type WebhookConfiguration } from './static-admission';

export type { StaticPlugin } from './static-admission';

const isManifest = (name: string): boolean => /\.(ya?ml|json)$/.test(name);

function copyManifests(from: string, to: string): void {
  for (const name of readdirSync(from).filter(isManifest)) copyFileSync(join(from, name), join(to, name));
}

/** The admission files of one API server, which no user of the API can read or change. */
export class AdmissionFiles {
  /** For --admission-control-config-file. */
  readonly configuration: string;

  constructor(readonly directory: string, private readonly deploy: string) {
    for (const plugin of STATIC_PLUGINS) mkdirSync(this.folder(plugin), { recursive: true });
    this.configuration = join(directory, 'admission.yaml');
    writeFileSync(this.configuration, stringify(admissionConfiguration(directory)));
  }

  /** The directory that a plugin reads. */
  folder(plugin: StaticPlugin): string {
    return join(this.directory, staticFolder(plugin));
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
      const { plugin, object } = staticWebhook(manifest as WebhookConfiguration, origin, ca);
      this.write(plugin, 'macrack.yaml', stringify(object));
    }
  }
}
