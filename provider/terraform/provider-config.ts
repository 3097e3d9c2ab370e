import { delimiter } from 'node:path';
import type { ConnectOptions, ExecCredential } from '../../sdk/client/connect-options';
import { VARIABLES, withEnvironment, type Environment } from './environment';
import { optional, optionalBlock, required } from './schema/attributes';
import { schema, type Planned } from './schema/schema';
import { list, map, string } from './schema/types';
import { isUnknown } from './values/unknown';

/** Longest time for one request with its retries, in milliseconds: a plan over a plane that is down ends soon. */
const REQUEST_MS = 15_000;

const EXEC = {
  api_version: required(string, 'What the program prints: "client.authentication.k8s.io/v1" or "client.authentication.k8s.io/v1beta1".'),
  command: required(string, 'The program.'),
  args: optional(list(string), 'Its arguments.'),
  env: optional(map(string), 'Variables for it, on top of those of terraform.'),
};

/** Arguments and variables are named as in the Kubernetes provider. */
export const configSchema = schema('Leases whole Macs and runs macOS virtual machines on them, inside the limits of the licence.', {
  config_path: optional(string, `Path of a kubeconfig. Default: $${VARIABLES.config_path}, then $KUBECONFIG, then ~/.kube/config.`),
  config_paths: optional(list(string), `Paths of kubeconfigs that are merged as kubectl merges them, instead of config_path. Default: $${VARIABLES.config_paths}.`),
  config_context: optional(string, `Context of the kubeconfig. Default: $${VARIABLES.config_context}, then its current one.`),
  host: optional(string, `URL of the API server, instead of or over a kubeconfig. Default: $${VARIABLES.host}.`),
  token: optional(string, `Bearer token. Default: $${VARIABLES.token}.`, { sensitive: true }),
  cluster_ca_certificate: optional(string, `Authorities that sign the server's certificate, as PEM text. Default: $${VARIABLES.cluster_ca_certificate}.`),
  client_certificate: optional(string, `Client certificate as PEM text; goes with client_key. Default: $${VARIABLES.client_certificate}.`),
  client_key: optional(string, `Key of the client certificate as PEM text. Default: $${VARIABLES.client_key}.`, { sensitive: true }),
  exec: optionalBlock(EXEC, 'A program that prints credentials, instead of token or client_certificate. It is asked again when they expire.'),
  namespace: optional(string, "The tenant of leases that name none. Default: that of the kubeconfig's context."),
});

export type ConfigRow = Planned<typeof configSchema>;

function isHole(value: unknown): boolean {
  if (isUnknown(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(isHole);
}

/** True while a value that leads to the control plane is not known. */
export function hasHoles({ namespace: _namespace, ...connection }: ConfigRow): boolean {
  return isHole(connection);
}

function given<K extends string, V>(key: K, value: V | null): { readonly [P in K]?: V } {
  return value === null ? {} : ({ [key]: value } as { readonly [P in K]: V });
}

type Exec = { readonly api_version: string; readonly command: string; readonly args: readonly string[] | null; readonly env: Readonly<Record<string, string>> | null };

const execOf = ({ api_version, command, args, env }: Exec): ExecCredential => ({ apiVersion: api_version, command, ...given('args', args), ...given('env', env) });

/** The arguments as the client takes them, with variables for those that are left out. Only for a configuration without holes. */
export function connectOptionsOf(row: ConfigRow, env: Environment = process.env): ConnectOptions {
  const config = withEnvironment(row, env, delimiter) as { readonly [K in keyof ConfigRow]: string | null } & { readonly config_paths: readonly string[] | null; readonly exec: Exec | null };
  return {
    ...given('configPath', config.config_path),
    ...given('configPaths', config.config_paths),
    ...given('configContext', config.config_context),
    ...given('host', config.host),
    ...given('token', config.token),
    ...given('clusterCaCertificate', config.cluster_ca_certificate),
    ...given('clientCertificate', config.client_certificate),
    ...given('clientKey', config.client_key),
    ...given('exec', config.exec === null ? null : execOf(config.exec)),
    timeoutMs: REQUEST_MS,
  };
}

/** What tells one configuration of the provider from another one of the same command; secrets are hashed by whoever keeps it. */
export function identityOf(config: ConfigRow): string {
  return JSON.stringify(Object.entries(config).map(([name, value]) => [name, isHole(value) ? null : value]));
}
