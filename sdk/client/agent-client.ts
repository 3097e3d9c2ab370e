import type { Client, Dispatcher } from 'undici';
import type { z } from 'zod';
import type { MacNode } from '../api';
import { nodeName } from '../api/names';
import { AgentUnavailable, type AgentReader, type AgentState } from './agent-reader';
import { agentCapacitySchema, agentInstanceSchema, agentInstancesSchema, agentJournalSchema, auditHeadsSchema, parseAgentState, type AgentCapacity, type AgentInstance, type AgentJournal, type AuditHeads } from './agent-state';
import { networkCode, networkFault } from './network-fault';

/** Who asks, and whom to believe: PEM texts. `ca` signs the agents' serving certificates. */
export interface AgentCredentials {
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

export interface AgentClientOptions {
  /** Read anew for every request, so that renewed certificates are used. */
  readonly credentials: () => AgentCredentials;
  /** Longest time for one request, in milliseconds. Default 5 s. */
  readonly timeoutMs?: number;
}

/** An agent that answered, and refused. */
export class AgentRefused extends Error {
  override readonly name = 'AgentRefused';

  constructor(readonly serial: string, readonly code: number, message: string) {
    super(`the agent of Mac ${serial} answers ${code}: ${message}`);
  }
}

interface AgentCall { readonly method: 'GET' | 'POST' | 'PUT'; readonly path: string; readonly body?: object; readonly timeoutMs?: number }

const TIMEOUT_MS = 5000;
// The guest has two minutes to shut down.
const STOP_TIMEOUT_MS = 150_000;

/**
 * The HTTPS API of one Mac's agent. Every request has a connection of its own: they are few, and none outlives a certificate.
 * Rejects with AgentUnavailable where the agent cannot be asked, with AgentRefused where it says no.
 */
export class AgentClient {
  /** @param endpoint `https://host:port` @param serial in either case; the certificate must name `mac-<serial>` */
  constructor(private readonly endpoint: string, private readonly serial: string, private readonly options: AgentClientOptions) {}

  async state(): Promise<AgentState> {
    const state = this.#understand(parseAgentState, await this.#send({ method: 'GET', path: '/v1/state' }));
    if (state.serial !== this.serial.toLowerCase()) throw new AgentUnavailable(this.serial, `the agent at ${this.endpoint} says that it is on Mac ${state.serial}`);
    return state;
  }

  capacity(): Promise<AgentCapacity> {
    return this.#get('/v1/capacity', agentCapacitySchema);
  }

  async instances(): Promise<readonly AgentInstance[]> {
    return (await this.#get('/v1/instances', agentInstancesSchema)).instances;
  }

  instance(instanceUID: string): Promise<AgentInstance> {
    return this.#get(`/v1/instances/${encodeURIComponent(instanceUID)}`, agentInstanceSchema);
  }

  /** Resolves when the machine is gone; one that does not run is success. @param bindingUID if given, nothing is stopped that belongs to another claim */
  async stop(instanceUID: string, bindingUID?: string): Promise<void> {
    await this.#send({ method: 'POST', path: `/v1/instances/${encodeURIComponent(instanceUID)}/stop`, body: bindingUID === undefined ? {} : { bindingUID }, timeoutMs: STOP_TIMEOUT_MS });
  }

  /** Entries after number `after`, oldest first; a part of them where there are many. */
  journal(after: number): Promise<AgentJournal> {
    return this.#get(`/v1/journal?after=${after}`, agentJournalSchema);
  }

  auditHeads(): Promise<AuditHeads> {
    return this.#get('/v1/audit-head', auditHeadsSchema);
  }

  /** Lets the agent keep a head of the audit record. The operator alone may. */
  async putAuditHead(head: object): Promise<void> {
    await this.#send({ method: 'PUT', path: '/v1/audit-head', body: head });
  }

  async #get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> {
    return this.#understand((answer) => schema.parse(answer), await this.#send({ method: 'GET', path }));
  }

  #understand<T>(parse: (answer: unknown) => T, answer: unknown): T {
    try {
      return parse(answer);
    } catch (error) {
      throw new AgentUnavailable(this.serial, `what ${this.endpoint} answers is no answer of an agent`, { cause: error });
    }
  }

  async #send(call: AgentCall): Promise<unknown> {
    const timeoutMs = call.timeoutMs ?? this.options.timeoutMs ?? TIMEOUT_MS;
    const signal = AbortSignal.timeout(timeoutMs);
    let client: Client | undefined;
    try {
      client = await this.#connect(timeoutMs);
      const answer = await client.request({
        method: call.method, path: call.path, signal, headersTimeout: 0, bodyTimeout: 0,
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body), headers: { 'content-type': 'application/json' } }),
      });
      return await this.#read(answer);
    } catch (error) {
      throw this.#fault(call, error, signal.aborted ? timeoutMs : undefined);
    } finally {
      await client?.destroy();
    }
  }

  async #connect(timeout: number): Promise<Client> {
    const { Client } = await import('undici');
    const { ca, certificate: cert, key } = this.options.credentials();
    return new Client(this.endpoint, { allowH2: false, connect: { ca, cert, key, timeout, servername: nodeName(this.serial), minVersion: 'TLSv1.3' } });
  }

  async #read({ statusCode, body }: Dispatcher.ResponseData): Promise<unknown> {
    const text = await body.text();
    if (statusCode === 200) return JSON.parse(text);
    throw new AgentRefused(this.serial, statusCode, saidIn(text));
  }

  #fault({ method, path }: AgentCall, error: unknown, expiredMs: number | undefined): Error {
    if (error instanceof AgentRefused) return error;
    if (expiredMs !== undefined) return new AgentUnavailable(this.serial, `no answer from ${this.endpoint} within ${expiredMs / 1000} s`, { cause: error });
    const why = distrust(networkCode(error), this.serial) ?? networkFault({ method, path, endpoint: this.endpoint }, error).said;
    return new AgentUnavailable(this.serial, why, { cause: error });
  }
}

/** Whose certificate was refused, and why; undefined for what is no matter of certificates. */
function distrust(code: string | undefined, serial: string): string | undefined {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `its certificate is not of ${nodeName(serial)} (${code})`;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') return `its certificate is not valid now (${code})`;
  if (code !== undefined && /^(?:UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code)) return `its certificate is of an authority that is not trusted (${code})`;
  return code?.includes('_ALERT_') === true ? `it refuses this client certificate (${code})` : undefined;
}

function saidIn(text: string): string {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message);
  } catch {
    return 'no message';
  }
}

/** As `AgentClientOptions`, with certificates that do not change, or a function that gives the present ones. */
export type HttpsAgentReaderOptions = (AgentCredentials | Pick<AgentClientOptions, 'credentials'>) & Pick<AgentClientOptions, 'timeoutMs'>;

/** Reads agents over mutual TLS at the address in their MacNode's status. A refusal counts as an agent that cannot be asked. */
export function httpsAgentReader(options: HttpsAgentReaderOptions): AgentReader {
  const credentials = 'credentials' in options ? options.credentials : () => options;
  return { read: (mac) => readAgent(mac, { credentials, ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }) }) };
}

async function readAgent(mac: MacNode, options: AgentClientOptions): Promise<AgentState> {
  const { serial } = mac.spec;
  const endpoint = mac.status?.agentEndpoint;
  if (endpoint === undefined) throw new AgentUnavailable(serial, 'it has not reported an address');
  if (!isHttps(endpoint)) throw new AgentUnavailable(serial, `its reported address ${JSON.stringify(endpoint)} is not https://host:port`);
  try {
    return await new AgentClient(endpoint, serial, options).state();
  } catch (error) {
    if (error instanceof AgentRefused) throw new AgentUnavailable(serial, error.message, { cause: error });
    throw error;
  }
}

// The address is what an agent wrote: it may be anything.
function isHttps(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(endpoint);
  return protocol === 'https:' && username === '' && password === '' && pathname === '/' && search === '' && hash === '';
}
