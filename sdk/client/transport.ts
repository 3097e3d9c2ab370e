import type { Agent, Dispatcher } from 'undici';
import { credentialFault, type Credentials } from './credentials';
import { PlaneError } from './errors';
import { networkFault } from './network-fault';

/** One request, before credentials. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly contentType?: string;
}

type NewAgent = (options: Agent.Options) => Agent;

const isSame = (a: Credentials['tls'], b: Credentials['tls']): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Sends requests with fresh credentials over kept connections. client-node makes a dispatcher for every request,
 * and with it a TLS handshake; here one lives until the certificates change.
 */
export class Transport {
  readonly #newAgent: NewAgent;
  readonly #server: URL;
  readonly #readCredentials: () => Promise<Credentials>;
  #agent: Agent;
  #tls: Credentials['tls'];
  #secret: string | undefined;

  constructor(newAgent: NewAgent, server: URL, credentials: Credentials, readCredentials: () => Promise<Credentials>) {
    this.#newAgent = newAgent;
    this.#server = server;
    this.#readCredentials = readCredentials;
    this.#tls = credentials.tls;
    this.#agent = this.#open(credentials.tls);
  }

  get endpoint(): string {
    return this.#server.href.replace(/\/$/, '');
  }

  /** Resolves when the headers of the answer are here; its body is still to be read. */
  async send(call: Call, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const headers = await this.#authenticate(call);
    const query = new URLSearchParams(call.query).toString();
    return this.#agent.request({
      origin: this.#server.origin,
      path: `${this.#server.pathname.replace(/\/$/, '')}${call.path}${query === '' ? '' : `?${query}`}`,
      method: call.method,
      headers: { accept: 'application/json', 'user-agent': 'macrack', ...headers, ...(call.body !== undefined && { 'content-type': call.contentType ?? 'application/json' }) },
      body: call.body ?? null,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Takes the credential out of a text of foreign origin. */
  redact(text: string): string {
    return this.#secret === undefined ? text : text.replaceAll(this.#secret, '[redacted]');
  }

  /** Ends every request and connection. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  async #authenticate(call: Call): Promise<Credentials['headers']> {
    const { headers, tls } = await this.#readCredentials().catch((error: unknown) => {
      const { message, cause } = credentialFault(error);
      throw new PlaneError({ fault: 'Unauthorized', method: call.method, path: call.path }, message, { cause });
    });
    this.#secret = headers.authorization?.replace(/^\S+ /, '') || undefined;
    if (!isSame(tls, this.#tls)) this.#replaceAgent(tls);
    return headers;
  }

  #replaceAgent(tls: Credentials['tls']): void {
    const old = this.#agent;
    this.#tls = tls;
    this.#agent = this.#open(tls);
    void old.close();
  }

  // HTTP/1.1: a watch then ends with its own connection and takes no other request along.
  #open(tls: Credentials['tls']): Agent {
    return this.#newAgent({ allowH2: false, connect: { ...tls, keepAlive: true, keepAliveInitialDelay: 30_000, timeout: 10_000 } });
  }
}

/** Turns whatever `send` or the reading of a body threw into a PlaneError. */
export function asPlaneError(error: unknown, call: Call, endpoint: string): PlaneError {
  return error instanceof PlaneError ? error : networkFault({ method: call.method, path: call.path, endpoint }, error);
}
