import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeServingCertificate } from './certificates';
import { readReview, reviewOf, type AdmissionRequest, type AdmissionResponse } from './review';

const LARGEST_REVIEW = 8 * 1024 * 1024;

export interface AdmissionHandlers {
  mutate(request: AdmissionRequest): AdmissionResponse;
  /** Never rejects: what cannot be checked is an answer too, and it denies. */
  validate(request: AdmissionRequest): Promise<AdmissionResponse>;
}

export interface AdmissionServer {
  /** `https://host:port`, to which the webhook configurations point. */
  readonly origin: string;
  readonly caPem: string;
  stop(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > LARGEST_REVIEW) throw new RangeError('the review is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function end(response: ServerResponse, code: number, type: string, text: string): void {
  response.writeHead(code, { 'content-type': type }).end(text);
}

async function answer(handlers: AdmissionHandlers, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'https://admission').pathname;
  if (request.method !== 'POST' || (path !== '/mutate' && path !== '/validate')) return end(response, 404, 'text/plain', 'POST /mutate or /validate');
  try {
    const review = readReview(await bodyOf(request));
    end(response, 200, 'application/json', reviewOf(path === '/mutate' ? handlers.mutate(review) : await handlers.validate(review)));
  } catch (error) {
    // The API server takes this for a webhook that is down, and refuses.
    end(response, 400, 'text/plain', error instanceof Error ? error.message : String(error));
  }
}

/** Serves AdmissionReview v1 over HTTPS, with a CA made at start. Port 0 takes any free one. */
export async function serveAdmission(handlers: AdmissionHandlers, { host, port }: { readonly host: string; readonly port: number }): Promise<AdmissionServer> {
  const { caPem, certificatePem, keyPem } = await makeServingCertificate(host);
  const server = createServer({ cert: certificatePem, key: keyPem, minVersion: 'TLSv1.2' }, (request, response) => void answer(handlers, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    origin: `https://${host.includes(':') ? `[${host}]` : host}:${bound}`, caPem,
    stop: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
