import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Cluster, Context, KubeConfig, User } from '@kubernetes/client-node';
import { ConnectionError, type ConnectOptions, type ExecCredential } from './connect-options';
import { kubeconfigPaths, readKubeconfig, readKubeconfigText, type KubeconfigFile } from './kubeconfig-file';
import { mergeKubeconfigs } from './merged-kubeconfigs';

const SERVICE_ACCOUNT_TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';
const OVERLAY = 'macrack';

type Environment = Readonly<Record<string, string | undefined>>;
type NewKubeConfig = () => KubeConfig;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function loadFile(config: KubeConfig, file: KubeconfigFile): void {
  try {
    config.loadFromString(JSON.stringify(file.document));
  } catch (error) {
    throw new ConnectionError(`kubeconfig ${file.path}: ${(error as Error).message}`, 'config_path');
  }
  config.makePathsAbsolute(dirname(file.path));
}

function chooseContext(config: KubeConfig, file: KubeconfigFile, wanted: string | undefined): void {
  const names = config.getContexts().map((context) => context.name);
  const choice = names.length === 0 ? 'it has no contexts' : `its contexts are ${names.join(', ')}`;
  const name = wanted ?? config.getCurrentContext();
  if (!name) throw new ConnectionError(`kubeconfig ${file.path} sets no current-context; ${choice}: choose one with config_context`, 'config_context');
  if (!names.includes(name)) {
    const source = wanted === undefined ? 'which its current-context names' : 'which config_context names';
    throw new ConnectionError(`kubeconfig ${file.path} has no context ${name}, ${source}; ${choice}`, 'config_context');
  }
  config.setCurrentContext(name);
  checkContext(config, file, name);
}

function checkContext(config: KubeConfig, file: KubeconfigFile, name: string): void {
  const context = config.getContextObject(name) as Context;
  if (config.getCluster(context.cluster) === null) throw new ConnectionError(`kubeconfig ${file.path}: context ${name} names cluster ${context.cluster}, which the file does not have`, 'config_context');
  if (context.user && config.getUser(context.user) === null) throw new ConnectionError(`kubeconfig ${file.path}: context ${name} names user ${context.user}, which the file does not have`, 'config_context');
}

function isInCluster(env: Environment): boolean {
  return Boolean(env.KUBERNETES_SERVICE_HOST) && existsSync(SERVICE_ACCOUNT_TOKEN);
}

/** How messages call a kubeconfig that is given as text; its relative paths start at the working directory. */
const GIVEN = './(given as text)';

async function loadAmbient(config: KubeConfig, options: ConnectOptions, env: Environment): Promise<void> {
  if (options.configText !== undefined) return loadKubeconfig(config, options, await readKubeconfigText(GIVEN, options.configText));
  const source = kubeconfigPaths(options, env);
  const isMissingDefault = source === undefined || (!source.asked && !existsSync(source.paths[0]));
  if (isMissingDefault && isInCluster(env)) return config.loadFromCluster();
  if (isMissingDefault) {
    const looked = source === undefined ? '' : `${source.paths[0]} does not exist, `;
    throw new ConnectionError(`no API server is configured: ${looked}KUBECONFIG is not set, and neither config_path nor host is given`, 'config_path');
  }
  const [first, ...more] = source.paths;
  const read = async (): Promise<KubeconfigFile> => mergeKubeconfigs([await readKubeconfig(first), ...await Promise.all(more.map(readKubeconfig))]);
  loadKubeconfig(config, options, await (options.configPaths === undefined ? read() : read().catch(inList)));
}

function inList(error: unknown): never {
  throw error instanceof ConnectionError ? new ConnectionError(error.message, 'config_paths', { cause: error.cause }) : error;
}

function loadKubeconfig(config: KubeConfig, options: ConnectOptions, file: KubeconfigFile): void {
  loadFile(config, file);
  chooseContext(config, file, options.configContext);
}

// client-node refuses plain HTTP unless verification is off; there is nothing to verify then.
const isPlain = (server: string): boolean => server.startsWith('http:');

function overlaidCluster(base: Cluster | null, options: ConnectOptions): Cluster {
  const server = (options.host ?? base?.server ?? '').replace(/\/+$/, '');
  const { caFile, caData, ...rest } = base ?? { skipTLSVerify: false };
  if (options.clusterCaCertificate !== undefined) return { ...rest, caData: base64(options.clusterCaCertificate), skipTLSVerify: isPlain(server), name: OVERLAY, server };
  const authority = { ...(caFile !== undefined && { caFile }), ...(caData !== undefined && { caData }) };
  return { ...rest, ...authority, skipTLSVerify: rest.skipTLSVerify || isPlain(server), name: OVERLAY, server };
}

// The shape that a kubeconfig has; client-node takes it as it is.
function execOf({ apiVersion, command, args = [], env = {} }: ExecCredential): object {
  return { apiVersion, command, args: [...args], env: Object.entries(env).map(([name, value]) => ({ name, value })) };
}

function overlaidUser(base: User | null, options: ConnectOptions): User {
  if (options.token !== undefined) return { name: OVERLAY, token: options.token.trim() };
  if (options.exec !== undefined) return { name: OVERLAY, exec: execOf(options.exec) };
  if (options.clientCertificate === undefined || options.clientKey === undefined) return { ...base, name: OVERLAY };
  return { name: OVERLAY, certData: base64(options.clientCertificate), keyData: base64(options.clientKey) };
}

/** The kubeconfig with the explicit options laid over it, as one context. Throws ConnectionError. */
export async function resolveAccess(create: NewKubeConfig, options: ConnectOptions): Promise<KubeConfig> {
  const config = create();
  const isAmbient = options.host === undefined || options.configPath !== undefined || options.configPaths !== undefined || options.configText !== undefined || options.configContext !== undefined;
  if (isAmbient) await loadAmbient(config, options, options.env ?? process.env);
  const namespace = isAmbient ? config.getContextObject(config.getCurrentContext())?.namespace : undefined;
  const cluster = overlaidCluster(config.getCurrentCluster(), options);
  const user = overlaidUser(config.getCurrentUser(), options);
  config.loadFromOptions({ clusters: [cluster], users: [user], contexts: [{ name: OVERLAY, cluster: OVERLAY, user: OVERLAY, ...(namespace !== undefined && { namespace }) }], currentContext: OVERLAY });
  return config;
}
