import type { ConnectOptions } from '../../sdk/client/connect-options';
import { optional } from './schema/attributes';
import { schema, type Planned } from './schema/schema';
import { string } from './schema/types';
import { isUnknown } from './values/unknown';

/** Longest time for one request with its retries, in milliseconds: a plan over a plane that is down ends soon. */
const REQUEST_MS = 15_000;

/** Arguments are named as in the Kubernetes provider. */
export const configSchema = schema('Leases whole Macs and runs macOS virtual machines on them, inside the limits of the licence.', {
  config_path: optional(string, 'Path of a kubeconfig. Default: $KUBECONFIG, then ~/.kube/config.'),
  config_context: optional(string, 'Context of the kubeconfig. Default: its current one.'),
  host: optional(string, 'URL of the API server, instead of or over a kubeconfig.'),
  token: optional(string, 'Bearer token.', { sensitive: true }),
  cluster_ca_certificate: optional(string, "Authorities that sign the server's certificate, as PEM text."),
  client_certificate: optional(string, 'Client certificate as PEM text; goes with client_key.'),
  client_key: optional(string, 'Key of the client certificate as PEM text.', { sensitive: true }),
  namespace: optional(string, "The tenant of leases that name none. Default: that of the kubeconfig's context."),
});

export type ConfigRow = Planned<typeof configSchema>;

/** True while a value that leads to the control plane is not known. */
export function hasHoles({ namespace: _namespace, ...connection }: ConfigRow): boolean {
  return Object.values(connection).some(isUnknown);
}

const set = (value: ConfigRow[keyof ConfigRow]): string | undefined => (typeof value === 'string' ? value : undefined);

function given<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: string });
}

/** The arguments as the client takes them. */
export function connectOptionsOf(config: ConfigRow): ConnectOptions {
  return {
    ...given('configPath', set(config.config_path)),
    ...given('configContext', set(config.config_context)),
    ...given('host', set(config.host)),
    ...given('token', set(config.token)),
    ...given('clusterCaCertificate', set(config.cluster_ca_certificate)),
    ...given('clientCertificate', set(config.client_certificate)),
    ...given('clientKey', set(config.client_key)),
    timeoutMs: REQUEST_MS,
  };
}

/** What tells one configuration of the provider from another one of the same command; secrets are hashed by whoever keeps it. */
export function identityOf(config: ConfigRow): string {
  return JSON.stringify(Object.entries(config).map(([name, value]) => [name, isUnknown(value) ? null : value]));
}
