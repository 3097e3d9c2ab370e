import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { processTimers } from '../../sdk/client/timers';
import { createAuthority } from './certificates/authority';
import { ServingCertificates } from './certificates/serving';
import { readReview, reviewOf, type AdmissionRequest, type AdmissionResponse } from './review';

const LARGEST_REVIEW = 8 * 1024 * 1024;
/** Longest time that the API server waits for an answer. */
const LONGEST_ANSWER_MS = 5_000;
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

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

/** Certificates of a CA that is made now and kept in memory: a restart makes another. */
async function ownCertificates(host: string): Promise<ServingCertificates> {
  return ServingCertificates.start({ authority: await createAuthority(), names: [host], timers: processTimers, log: SILENT });
}

// Requests that are being answered are answered; a client that keeps a connection open without one does not hold the end up.
function closing(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), LONGEST_ANSWER_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/**
 * Serves AdmissionReview v1 over HTTPS. Port 0 takes any free one. A renewed certificate is used from the next connection on; those that are
 * open stay. @param given default: those of a CA made now
 */
export async function serveAdmission(handlers: AdmissionHandlers, { host, port }: { readonly host: string; readonly port: number }, given?: ServingCertificates): Promise<AdmissionServer> {
  const certificates = given ?? await ownCertificates(host);
  const context = () => ({ cert: certificates.current.certificatePem, key: certificates.current.keyPem, minVersion: 'TLSv1.2' as const });
  const server = createServer(context(), (request, response) => void answer(handlers, request, response));
  certificates.onRenewed(() => server.setSecureContext(context()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    origin: `https://${host.includes(':') ? `[${host}]` : host}:${bound}`, caPem: certificates.caPem,
    stop: () => {
      if (given === undefined) certificates.stop();
      return closing(server);
    },
  };
}
