import { join } from 'node:path';
import type { ApiObject, JsonObject } from '../devplane/json';

const API = 'apiserver.config.k8s.io/v1';
const STATIC = '.static.k8s.io';

/** The plugins that read files, each with its directory. */
const PLUGINS = [
  { name: 'ValidatingAdmissionPolicy', kind: 'ValidatingAdmissionPolicyConfiguration', folder: 'vap' },
  { name: 'MutatingAdmissionPolicy', kind: 'MutatingAdmissionPolicyConfiguration', folder: 'map' },
  { name: 'ValidatingAdmissionWebhook', kind: 'WebhookAdmissionConfiguration', folder: 'vwh' },
  { name: 'MutatingAdmissionWebhook', kind: 'WebhookAdmissionConfiguration', folder: 'mwh' },
] as const;

export type StaticPlugin = (typeof PLUGINS)[number]['name'];

export const STATIC_PLUGINS: readonly StaticPlugin[] = PLUGINS.map(({ name }) => name);

/** Name of the directory, below that of the admission files, which a plugin reads. */
export function staticFolder(plugin: StaticPlugin): string {
  return PLUGINS.find(({ name }) => name === plugin)?.folder ?? '';
}

/** The file of --admission-control-config-file. @param directory absolute, as the API server sees it */
export function admissionConfiguration(directory: string): object {
  return {
    apiVersion: API, kind: 'AdmissionConfiguration',
    plugins: PLUGINS.map(({ name, kind, folder }) => ({ name, configuration: { apiVersion: API, kind, staticManifestsDir: join(directory, folder) } })),
  };
}

/**
 * The name that a static object must have, and that the API refuses: `mutate.macrack.io` in the files for the API is
 * `mutate.macrack.static.k8s.io` here. Names of policies end so already.
 */
export function staticName(name: string): string {
  return name.endsWith(STATIC) ? name : `${name.replace(/\.io$/, '')}${STATIC}`;
}

/** The name of a static object as an object of the API: `p1-node-capacity.macrack.io` for `p1-node-capacity.macrack.static.k8s.io`. */
export function apiName(name: string): string {
  return name.endsWith(STATIC) ? `${name.slice(0, -STATIC.length)}.io` : name;
}

export type WebhookConfiguration = ApiObject & { webhooks: (JsonObject & { clientConfig: JsonObject & { url: string } })[] };

/** A webhook configuration of deploy/ with each webhook's `clientConfig` made anew from the path it had. @param ca PEM, one certificate or a bundle */
export function redirectedTo(configuration: WebhookConfiguration, ca: string, clientConfig: (path: string) => JsonObject): ApiObject {
  const caBundle = Buffer.from(ca).toString('base64');
  const webhooks = configuration.webhooks.map((webhook) => ({ ...webhook, clientConfig: { ...clientConfig(new URL(webhook.clientConfig.url).pathname), caBundle } }));
  return { ...configuration, webhooks };
}

/** The plugin that reads a webhook configuration of deploy/, and that configuration as a file for it. @param origin `https://host:port` */
export function staticWebhook(configuration: WebhookConfiguration, origin: string, ca: string): { plugin: StaticPlugin; object: ApiObject } {
  const { kind, metadata } = configuration;
  const redirected = redirectedTo(configuration, ca, (path) => ({ url: `${origin}${path}` }));
  return {
    plugin: kind === 'MutatingWebhookConfiguration' ? 'MutatingAdmissionWebhook' : 'ValidatingAdmissionWebhook',
    object: { ...redirected, metadata: { ...metadata, name: staticName(metadata.name) } },
  };
}
