import { PlaneError, type PlaneFault } from './errors';

/** The request that got no answer. */
export interface Unanswered {
  readonly method: string;
  readonly path: string;
  readonly endpoint: string;
}

const CERTIFICATE_CODES = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)/;
const RESETS = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Code of an error of the network, undefined for any other error. */
export function networkCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** True when a connection broke under a request: a read may be asked again at once. */
export function isReset(error: PlaneError): boolean {
  return error.fault === 'Unreachable' && RESETS.has(networkCode(error.cause) ?? '');
}

function sentence(code: string | undefined, message: string, endpoint: string): string {
  if (code === 'ECONNREFUSED') return `nothing listens at ${endpoint} (ECONNREFUSED)`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host name of ${endpoint} does not resolve (${code})`;
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return `no connection to ${endpoint} in time (${code})`;
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return `the connection to ${endpoint} was closed by this process`;
  if (code !== undefined && RESETS.has(code)) return `the connection to ${endpoint} broke (${code})`;
  if (code !== undefined && CERTIFICATE_CODES.test(code)) return `the certificate of ${endpoint} is not trusted (${code}): check cluster_ca_certificate, or certificate-authority in the kubeconfig`;
  if (code?.startsWith('ERR_SSL_') || code === 'EPROTO') return `no TLS connection to ${endpoint} (${code}): is it an HTTPS server, and does it accept this client certificate?`;
  return `no answer from ${endpoint}: ${message}`;
}

const isNoHttp = (error: unknown): boolean => error instanceof Error && error.name === 'HTTPParserError';

// What has no code was not thrown by the network.
function isOurs(error: unknown): boolean {
  const code = networkCode(error);
  return code === 'UND_ERR_INVALID_ARG' || (code === undefined && !isNoHttp(error));
}

function sentenceOf(error: unknown, endpoint: string): string {
  if (isNoHttp(error)) return `what answers at ${endpoint} does not speak HTTP`;
  return sentence(networkCode(error), error instanceof Error ? error.message : String(error), endpoint);
}

/** The error for a request that got no answer. What is no fault of the network is `Unexpected`. */
export function networkFault(request: Unanswered, error: unknown): PlaneError {
  const { method, path, endpoint } = request;
  const fault: PlaneFault = isOurs(error) ? 'Unexpected' : 'Unreachable';
  return new PlaneError({ fault, method, path }, sentenceOf(error, endpoint), { cause: error });
}

/** The error for a request whose time ran out: a write may have happened or not. */
export function timeoutFault(request: Unanswered, timeoutMs: number, cause?: unknown): PlaneError {
  const { method, path, endpoint } = request;
  const doubt = method === 'GET' || method === 'WATCH' ? '' : '; whether the write happened is unknown';
  return new PlaneError({ fault: 'Timeout', method, path }, `no answer from ${endpoint} within ${timeoutMs / 1000} s${doubt}`, { cause });
}
