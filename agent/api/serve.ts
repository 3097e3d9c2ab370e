import type { AddressInfo } from 'node:net';
import type { Server } from 'node:https';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import { HypervisorError } from '../driver';
import { linesFile } from '../journal/lines-file';
import { ApiFault } from './api-fault';
import { AuditHeads } from './audit-heads';
import { addRoutes } from './routes';

/** PEM texts of the serving side. Without a certificate the address is taken, so that it can be reported, and every handshake fails. */
export interface ServingTls {
  /** With the DNS name `mac-<serial>`. */
  readonly certificate?: string;
  readonly key?: string;
  /** The authority that signs the certificates of clients: the cluster's. */
  readonly clientCa: string;
}

export interface ApiOptions extends ServingTls {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** Host, or host:port, under which the operator reaches this agent. Default: the host and port that are listened on. */
  readonly advertise?: string;
  /** Where heads of the audit record are kept. Its directory must exist. */
  readonly auditHeadFile: string;
}

export interface ServedApi {
  /** `https://host:port`, as MacNode.status.agentEndpoint has it. */
  readonly endpoint: string;
  /** New connections use it from now on; those that stand go on. @throws Error for PEM texts that TLS cannot use */
  renew(tls: ServingTls): void;
  stop(): Promise<void>;
}

// TLS 1.3 alone, and nobody without a certificate that the cluster's authority has signed.
const contextOf = ({ certificate, key, clientCa }: ServingTls) => ({ ...(certificate === undefined || key === undefined ? {} : { cert: certificate, key }), ca: clientCa, minVersion: 'TLSv1.3' as const });

function endpointOf(host: string, port: number, advertise: string | undefined): string {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  if (advertise === undefined) return `https://${bracketed}:${port}`;
  return /:\d+$/.test(advertise) ? `https://${advertise}` : `https://${advertise}:${port}`;
}

function answerFaults(app: FastifyInstance, { log }: Context): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const code = error instanceof ApiFault ? error.code : error instanceof HypervisorError ? 503 : error.statusCode ?? 500;
    if (code >= 500) log.error({ err: error, method: request.method, url: request.url }, 'a request to the agent failed');
    return reply.code(code).send({ message: error.message });
  });
  app.setNotFoundHandler((request, reply) => reply.code(404).send({ message: `an agent has no ${request.method} ${request.url}` }));
}

function logHandshakes(server: Server, { log }: Context): void {
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => log.warn({ code: error.code, from: socket.remoteAddress }, 'a client was refused in the TLS handshake'));
}

/** Serves the agent's HTTPS API to the operator and to fleet operators. Rejects when the address cannot be listened on. */
export async function serveApi(ctx: Context, options: ApiOptions): Promise<ServedApi> {
  const { fastify } = await import('fastify');
  const app = fastify({ logger: false, https: { ...contextOf(options), requestCert: true, rejectUnauthorized: true }, bodyLimit: 16 * 1024, forceCloseConnections: true });
  const server = app.server;
  const heads = new AuditHeads(linesFile(options.auditHeadFile));
  answerFaults(app, ctx);
  addRoutes(app, ctx, heads);
  logHandshakes(server, ctx);
  await app.listen({ host: options.host, port: options.port });
  return {
    endpoint: endpointOf(options.host, (server.address() as AddressInfo).port, options.advertise),
    renew: (tls) => server.setSecureContext(contextOf(tls)),
    stop: async () => {
      await app.close();
      await heads.close();
    },
  };
}
