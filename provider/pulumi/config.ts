import type { ConnectOptions } from '../../sdk/client/connect-options';

/** Longest time for one request with its retries, in milliseconds: a preview over a plane that is down ends soon. */
const REQUEST_MS = 15_000;

/** Namespace of the keys in a stack's configuration. */
export const CONFIG_NAMESPACE = 'macrack';

/** Keys of the stack configuration, behind `macrack:`. Those of a kubeconfig win over `$KUBECONFIG` and `~/.kube/config`. */
export const CONFIG_KEYS = ['kubeconfig', 'context', 'namespace', 'host', 'token', 'clusterCaCertificate', 'clientCertificate', 'clientKey', 'statusInDiff'] as const;
export type ConfigKey = (typeof CONFIG_KEYS)[number];

/** Reads one key of the stack configuration; undefined where it is not set. */
export type ReadConfig = (key: ConfigKey) => string | undefined;

function given<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: string });
}

/** True for the text of a kubeconfig, which may hold credentials; a path is one line without a colon and a space. */
export function isKubeconfigText(value: string): boolean {
  return /\n|^\s*\{|: /.test(value);
}

/** The configuration as the client takes it. */
export function connectOptionsOf(read: ReadConfig): ConnectOptions {
  const kubeconfig = read('kubeconfig');
  return {
    ...(kubeconfig === undefined ? {} : given(isKubeconfigText(kubeconfig) ? 'configText' : 'configPath', kubeconfig)),
    ...given('configContext', read('context')),
    ...given('host', read('host')),
    ...given('token', read('token')),
    ...given('clusterCaCertificate', read('clusterCaCertificate')),
    ...given('clientCertificate', read('clientCertificate')),
    ...given('clientKey', read('clientKey')),
    timeoutMs: REQUEST_MS,
  };
}

/** What tells one configuration from another one of the same process. */
export function identityOf(read: ReadConfig): string {
  return JSON.stringify(CONFIG_KEYS.map((key) => read(key) ?? null));
}
