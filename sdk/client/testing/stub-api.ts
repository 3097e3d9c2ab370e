import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** A request as the stub saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** Common name of the client certificate. */
  readonly client: string | undefined;
}

/** What the stub does: an answer, or something worse. */
export type Reply = { readonly status?: number; readonly headers?: Readonly<Record<string, string | string[]>>; readonly json?: unknown; readonly text?: string } | 'hang' | 'reset' | ((response: ServerResponse) => void);

export type Answerer = (request: SeenRequest) => Reply;

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}

function send(reply: Reply, response: ServerResponse): void {
  if (reply === 'hang') return;
  if (reply === 'reset') return void response.socket?.resetAndDestroy();
  if (typeof reply === 'function') return reply(response);
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
  response.end(reply.text ?? JSON.stringify(reply.json ?? {}));
}

/** An HTTP(S) server that answers as it is told and remembers what it was asked. */
export class StubApi {
  readonly requests: SeenRequest[] = [];
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  /** Told the client's port of every new connection. */
  onConnection: (port: number | undefined) => void = () => undefined;

  constructor(public answer: Answerer = () => ({}), readonly tls?: ServerOptions) {}

  get url(): string {
    return `${this.tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.#port}`;
  }

  /** Listens; after a kill again at the same port. */
  async start(): Promise<this> {
    const listener: RequestListener = (request, response) => void this.#handle(request, response);
    const server = this.tls === undefined ? createServer(listener) : createTlsServer(this.tls, listener);
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      this.onConnection(socket.remotePort);
      socket.on('close', () => this.#sockets.delete(socket)).on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }

  /** Stops listening and resets every connection. */
  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
    this.dropConnections();
    await closed;
  }

  dropConnections(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stub');
    const peer = this.tls === undefined ? undefined : (request.socket as TLSSocket).getPeerCertificate().subject?.CN?.toString();
    const seen: SeenRequest = { method: request.method ?? '', path: url.pathname, query: Object.fromEntries(url.searchParams), headers: request.headers, body: await readBody(request), client: peer };
    this.requests.push(seen);
    send(this.answer(seen), response);
  }
}

/** A `Status` object as an API server answers it. */
export function failure(code: number, reason: string, message = reason, details: object = {}): Reply {
  return { status: code, json: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details } };
}
