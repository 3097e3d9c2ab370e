import { createServer, request as httpsRequest } from 'node:https';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kubeconfig } from '../../devplane/kubeconfig';
import type { KeyPair } from '../../devplane/server/certificates';
import { OPERATOR } from '../../realplane/identities';
import type { RealPlane } from '../../realplane/real-plane';

/** What an operator behind the proxy sees otherwise than it is. */
export interface Faults {
  /** Release of Kubernetes. */
  version?: string | undefined;
  /** Milliseconds by which the Date header is ahead. */
  ahead?: number | undefined;
  /** Plural of a kind that is not served. */
  missing?: string | undefined;
  /** Resource on which no right is had. */
  forbidden?: string | undefined;
}

type Json = Record<string, unknown> & { status?: object; spec?: { resourceAttributes?: { resource?: string } } };

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** The API server of a real plane as seen through faults, with the identity of the operator. */
export class FaultyProxy {
  faults: Faults = {};
  readonly #server;

  private constructor(private readonly plane: RealPlane, private readonly identity: KeyPair, serving: KeyPair) {
    this.#server = createServer({ cert: serving.certificate, key: serving.key }, (request, response) => {
      this.#forward(request, response).catch(() => response.destroy());
    });
  }

  static async start(plane: RealPlane): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(plane, await plane.identify(OPERATOR), await plane.serve({ dns: ['localhost'], ips: ['127.0.0.1'] }));
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** YAML of a kubeconfig that leads here. */
  kubeconfig(): string {
    const { port } = this.#server.address() as AddressInfo;
    return kubeconfig(`https://127.0.0.1:${port}`, this.plane.ca, [{ name: OPERATOR, credential: this.identity }]);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const { missing } = this.faults;
    if (missing !== undefined && path.startsWith(`/apis/macrack.io/v1/${missing}`)) return void response.writeHead(404).end('404 page not found\n');
    const body = await bodyOf(request);
    const answer = await this.#ask(request, path, body);
    const headers: OutgoingHttpHeaders = { ...answer.headers, date: new Date(Date.parse(answer.headers.date ?? '') + (this.faults.ahead ?? 0)).toUTCString() };
    if (/[?&]watch=true/.test(path)) {
      response.writeHead(answer.statusCode ?? 502, headers).flushHeaders();
      response.on('close', () => answer.destroy());
      return void answer.on('error', () => response.destroy()).pipe(response);
    }
    delete headers['content-length'];
    response.writeHead(answer.statusCode ?? 502, headers).end(this.#distort(path, await bodyOf(answer)));
  }

  #distort(path: string, text: string): string {
    const { version, forbidden } = this.faults;
    if (version !== undefined && path === '/version') return JSON.stringify({ ...JSON.parse(text) as Json, gitVersion: version });
    if (forbidden === undefined || !path.endsWith('/selfsubjectaccessreviews')) return text;
    const review = JSON.parse(text) as Json;
    return review.spec?.resourceAttributes?.resource === forbidden ? JSON.stringify({ ...review, status: { allowed: false } }) : text;
  }

  #ask(request: IncomingMessage, path: string, body: string): Promise<IncomingMessage> {
    const { certificate: cert, key } = this.identity;
    return new Promise((resolve, reject) => {
      const { host: _host, ...headers } = request.headers;
      const onward = httpsRequest(`${this.plane.url}${path}`, { method: request.method, headers, ca: this.plane.ca, cert, key }, resolve);
      onward.on('error', reject).end(body);
    });
  }
}
