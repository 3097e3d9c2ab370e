import type { RequestOptions } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { KubeConfig } from '@kubernetes/client-node';
import { parseServer } from './check-options';
import { ConnectionError } from './connect-options';

/** What one request needs to be who it is; certificates and key as PEM text. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string; readonly servername?: string; readonly rejectUnauthorized?: boolean };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

/** Checks what must hold before credentials are sent anywhere. Throws ConnectionError. */
export function checkServer(config: KubeConfig): URL {
  const server = config.getCurrentCluster()?.server ?? '';
  const url = parseServer(server, 'the server of the cluster');
  if (config.getCurrentCluster()?.proxyUrl) throw new ConnectionError('the kubeconfig sets proxy-url, which is not supported: use a context without it');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw new ConnectionError(`${url.origin} is plain HTTP: credentials are sent over HTTPS only, except to this machine itself`, 'host');
  return url;
}

function headersOf(options: RequestOptions): Record<string, string> {
  const headers = Object.fromEntries(Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value).trim()]));
  return typeof options.auth === 'string' ? { authorization: `Basic ${Buffer.from(options.auth).toString('base64')}`, ...headers } : headers;
}

// Of all that Node takes, client-node makes buffers and strings.
const pem = (value: unknown): string => (typeof value === 'string' ? value : (value as Buffer).toString());

function tlsOf(options: RequestOptions): Credentials['tls'] {
  const { ca, cert, key, servername, rejectUnauthorized } = options;
  return {
    ...(ca !== undefined && { ca: pem(ca) }),
    ...(cert !== undefined && { cert: pem(cert) }),
    ...(key !== undefined && { key: pem(key) }),
    ...(servername !== undefined && { servername }),
    ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
  };
}

/** Reads the credentials as of now: files and helper programs are asked again, so that renewed ones are used. */
export async function readCredentials(config: KubeConfig): Promise<Credentials> {
  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  return { headers: headersOf(options), tls: tlsOf(options) };
}

/** Why credentials could not be read. What a helper program printed is left out: it may be a credential. */
export function credentialFault(error: unknown): { readonly message: string; readonly cause?: unknown } {
  const { code, message } = error as NodeJS.ErrnoException;
  if (typeof code === 'string') return { message: `the credentials cannot be read: ${message}`, cause: error };
  return { message: 'the credentials cannot be read: the helper program that exec or the kubeconfig names failed, or printed no ExecCredential. Run it by hand to see why' };
}

/** Refuses certificates and keys that TLS could not use. Throws ConnectionError. */
export function checkTls(tls: Credentials['tls']): void {
  try {
    createSecureContext({ ca: tls.ca, cert: tls.cert, key: tls.key });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConnectionError(`the certificates or the key cannot be used (${code ?? message}): is each whole PEM text, and does the key belong to the client certificate?`, undefined, { cause: error });
  }
}
