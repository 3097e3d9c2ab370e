import { ConnectionError, type ConnectArgument, type ConnectOptions } from './connect-options';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----/;
const PRIVATE_KEY = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;
// What RFC 6750 allows in a bearer token, and nothing that could split a header.
const TOKEN = /^[\x21-\x7e]+$/;

function checkNotEmpty(options: ConnectOptions): void {
  const given: readonly (readonly [ConnectArgument, string | undefined])[] = [
    ['config_path', options.configPath],
    ['config_path', options.configText],
    ...(options.configPaths ?? []).map((path) => ['config_paths', path] as const),
    ['config_context', options.configContext],
    ['host', options.host],
    ['token', options.token],
    ['cluster_ca_certificate', options.clusterCaCertificate],
    ['client_certificate', options.clientCertificate],
    ['client_key', options.clientKey],
  ];
  const empty = given.find(([, value]) => value?.trim() === '');
  if (empty !== undefined) throw new ConnectionError(`${empty[0]} is empty: give it a value or leave it out`, empty[0]);
}

function checkPaths({ configPath, configPaths }: ConnectOptions): void {
  if (configPaths === undefined) return;
  if (configPaths.length === 0) throw new ConnectionError('config_paths is empty: name a kubeconfig in it or leave it out', 'config_paths');
  if (configPath !== undefined) throw new ConnectionError('config_path and config_paths are given: give one of them', 'config_paths');
}

const EXEC_VERSIONS = ['v1', 'v1beta1'].map((version) => `client.authentication.k8s.io/${version}`);

function checkExec({ exec }: ConnectOptions): void {
  if (exec === undefined) return;
  if (!EXEC_VERSIONS.includes(exec.apiVersion)) throw new ConnectionError(`exec: api_version is ${JSON.stringify(exec.apiVersion)}; it is one of ${EXEC_VERSIONS.join(', ')}`, 'exec');
  if (exec.command.trim() === '') throw new ConnectionError('exec: command is empty: name the program that prints the credentials', 'exec');
}

function checkPem(argument: ConnectArgument, value: string | undefined, pattern: RegExp, what: string): void {
  if (value === undefined || pattern.test(value)) return;
  throw new ConnectionError(`${argument} holds no ${what} in PEM text; if it holds a path, give the content of that file`, argument);
}

function checkPair(options: ConnectOptions): void {
  const { clientCertificate, clientKey, token, exec } = options;
  if (clientCertificate !== undefined && clientKey === undefined) throw new ConnectionError('client_certificate needs client_key', 'client_key');
  if (clientKey !== undefined && clientCertificate === undefined) throw new ConnectionError('client_key needs client_certificate', 'client_certificate');
  if (token !== undefined && clientKey !== undefined) throw new ConnectionError('token and client_certificate are two identities: give one of them', 'token');
  if (exec !== undefined && (token ?? clientKey) !== undefined) throw new ConnectionError('exec and token or client_certificate are two identities: give one of them', 'exec');
}

/** Reads an address of an API server. Throws ConnectionError naming `source`. */
export function parseServer(server: string, source: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new ConnectionError(`${source} is not a URL such as https://10.0.0.1:6443`, 'host');
  if (url.username !== '' || url.password !== '') throw new ConnectionError(`${source} holds a user name or password; give a token or a client certificate instead`, 'host');
  return url;
}

/** Refuses options that contradict each other or are of the wrong form. No message repeats a value that may be secret. */
export function checkOptions(options: ConnectOptions): void {
  checkNotEmpty(options);
  if (options.host !== undefined) parseServer(options.host, 'host');
  if (options.token !== undefined && !TOKEN.test(options.token.trim())) throw new ConnectionError('token holds characters that no bearer token has', 'token');
  checkPem('cluster_ca_certificate', options.clusterCaCertificate, CERTIFICATE, 'certificate');
  checkPem('client_certificate', options.clientCertificate, CERTIFICATE, 'certificate');
  checkPem('client_key', options.clientKey, PRIVATE_KEY, 'private key');
  checkPair(options);
  checkPaths(options);
  checkExec(options);
}
