import { Agent, createServer, request as httpsRequest, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { KeyPair } from '../../../devplane/server/certificates';
import { Gate } from './gate';
import { passingRequest, type PassingRequest } from './passing-request';
import { WatchStream } from './watch-stream';

/** Called around each request. One that throws destroys the connection: in `before` the API server has seen nothing, in `after` it has done all. */
export interface ProxyHook {
  before?(request: PassingRequest): void | Promise<void>;
  after?(request: PassingRequest): void | Promise<void>;
}

export interface ProxyOptions {
  readonly upstream: string;
  /** PEM. */
  readonly ca: string;
  /** Of the proxy, for 127.0.0.1. */
  readonly serving: KeyPair;
  /** Of the user whose requests pass, since TLS ends here. */
  readonly identity: KeyPair;
}

const LOOPBACK = '127.0.0.1';

/** Between one client and the API server: a place where every request can be counted, stopped, delayed or lost. */
export class PlaneProxy {
  readonly hooks = new Set<ProxyHook>();
  readonly #sockets = new Set<Socket>();
  readonly #streams = new Set<WatchStream>();
  readonly #gate = new Gate();
  readonly #agent: Agent;
  readonly #server: Server;
  #isCut = false;
  #withheld: RegExp | undefined;
  #expire = false;

  private constructor(private readonly options: ProxyOptions) {
    const { ca, identity, serving } = options;
    this.#agent = new Agent({ ca, cert: identity.certificate, key: identity.key, keepAlive: true });
    this.#server = createServer({ key: serving.key, cert: serving.certificate }, (incoming, answer) => void this.#pass(incoming, answer).catch(() => answer.socket?.destroy()));
    this.#server.requestTimeout = 0;
    this.#server.on('connection', (socket: Socket) => this.#admit(socket));
  }

  static async open(options: ProxyOptions): Promise<PlaneProxy> {
    const proxy = new PlaneProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, LOOPBACK, resolve));
    return proxy;
  }

  get url(): string {
    return `https://${LOOPBACK}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Drops every connection, and every new one, until `mend`. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  /** Nothing passes in either direction, and nobody is told: as to a process that is stopped, or over a network that drops packets. */
  stall(): void {
    this.#gate.shut();
  }

  /** What was on its way arrives now. */
  resume(): void {
    this.#gate.open();
  }

  /** Keeps the events of these resources back, while everything else passes. */
  withholdEvents(resource = /./): void {
    this.#withheld = resource;
    for (const stream of this.#streams) if (resource.test(stream.resource)) stream.gate.shut();
  }

  deliverEvents(): void {
    this.#withheld = undefined;
    for (const stream of this.#streams) stream.gate.open();
  }

  /** Ends every watch with 410, as after a compaction of the store; those that are opened again from where they ended get it too, once. */
  expireWatches(): void {
    this.#expire = true;
    for (const stream of this.#streams) stream.expire();
    setImmediate(() => { this.#expire = false; });
  }

  async close(): Promise<void> {
    this.cut();
    this.#gate.open();
    this.#agent.destroy();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  #admit(socket: Socket): void {
    if (this.#isCut) return void socket.destroy();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const text = await textOf(incoming);
    const request = passingRequest(incoming, text);
    await this.#gate.passed();
    for (const hook of this.hooks) await hook.before?.(request);
    if (answer.destroyed || this.#isCut) return;
    if (request.verb === 'watch' && this.#expire) return void answer.writeHead(410, JSON_TYPE).end(EXPIRED);
    const upstream = await this.#forward(incoming, text);
    if (request.verb === 'watch' && upstream.statusCode === 200) return this.#stream(request.resource, upstream, answer);
    const body = await bytesOf(upstream);
    for (const hook of this.hooks) await hook.after?.(request);
    await this.#gate.passed();
    if (this.#isCut) return void answer.socket?.destroy();
    answer.writeHead(upstream.statusCode ?? 502, headersOf(upstream)).end(body);
  }

  #stream(resource: string, upstream: IncomingMessage, answer: ServerResponse): void {
    const stream = new WatchStream(resource, upstream, answer, this.#gate);
    if (this.#withheld?.test(resource) === true) stream.gate.shut();
    this.#streams.add(stream);
    answer.writeHead(200, headersOf(upstream));
    answer.flushHeaders();
    void stream.run().finally(() => this.#streams.delete(stream));
  }

  #forward({ method, url = '/', headers }: IncomingMessage, text: string): Promise<IncomingMessage> {
    const { host: _ours, connection: _hop, authorization: _theirs, 'transfer-encoding': _framing, ...rest } = headers;
    const sent = { ...rest, ...(text !== '' && { 'content-length': Buffer.byteLength(text) }) };
    return new Promise((resolve, reject) => {
      const upstream = httpsRequest(new URL(url, this.options.upstream), { method, headers: sent, agent: this.#agent }, resolve);
      upstream.once('error', reject);
      upstream.end(text);
    });
  }
}

const JSON_TYPE = { 'content-type': 'application/json' };
const EXPIRED = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410, message: 'too old resource version' });

function headersOf({ headers }: IncomingMessage): Record<string, string | string[]> {
  const { connection: _hop, 'transfer-encoding': _framing, 'content-length': _length, ...rest } = headers;
  return rest as Record<string, string | string[]>;
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const textOf = async (stream: IncomingMessage): Promise<string> => (await bytesOf(stream)).toString('utf8');
