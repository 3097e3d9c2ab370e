import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Address } from './options';
import type { Readiness } from './readiness';

/** What the probes and the scraper are told. */
export interface Vitals {
  readiness(): Readiness;
  /** Text in the Prometheus format, with its content type. */
  metrics(): Promise<{ readonly type: string; readonly text: string }>;
}

export interface HealthServer {
  /** `http://host:port` */
  readonly origin: string;
  stop(): Promise<void>;
}

function end(response: ServerResponse, code: number, type: string, text: string): void {
  response.writeHead(code, { 'content-type': type }).end(text);
}

async function answer(vitals: Vitals, path: string, response: ServerResponse): Promise<void> {
  switch (path) {
    case '/healthz':
      return end(response, 200, 'text/plain', 'ok\n');
    case '/readyz': {
      const readiness = vitals.readiness();
      return end(response, readiness.ready ? 200 : 503, 'application/json', `${JSON.stringify(readiness)}\n`);
    }
    case '/metrics': {
      const { type, text } = await vitals.metrics();
      return end(response, 200, type, text);
    }
    default:
      return end(response, 404, 'text/plain', '/healthz, /readyz or /metrics\n');
  }
}

/** Serves /healthz (the process answers), /readyz (named checks, and why not) and /metrics over plain HTTP. */
export async function serveHealth(vitals: Vitals, { host, port }: Address): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://health').pathname;
    answer(vitals, path, response).catch((error: unknown) => end(response, 500, 'text/plain', `${String(error)}\n`));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    stop: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}
