import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TLSSocket } from 'node:tls';
import { z } from 'zod';
import type { Context } from '../context';
import { Pin } from '../node/pin';
import { ApiFault } from './api-fault';
import type { AuditHeads } from './audit-heads';
import { identifyClient, type ApiClient } from './client-identity';
import { readCapacity, readInstances, readState } from './read-state';
import { stopInstance } from './stop-instance';

const MOST_ENTRIES = 500;
const byUID = z.object({ uid: z.string().min(1).max(64) });
const stopBody = z.object({ bindingUID: z.string().optional() }).nullish();
const after = z.object({ after: z.coerce.number().int().min(0).default(0) });
const head = z.record(z.string(), z.unknown());

/** Rejects with ApiFault 403 unless the certificate of the connection names the operator or a fleet operator. */
function clientOf(request: FastifyRequest): ApiClient {
  const client = identifyClient((request.raw.socket as TLSSocket).getPeerCertificate());
  if (client !== undefined) return client;
  throw new ApiFault(403, 'an agent answers certificates with CN=macrack-operator or O=macrack:fleet-operators only');
}

function read<T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new ApiFault(400, `${what}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Every route asks first who is there: a hook, so that none can be forgotten. */
export function addRoutes(app: FastifyInstance, ctx: Context, heads: AuditHeads): void {
  const pin = new Pin();
  app.addHook('onRequest', (request, _reply, done) => {
    clientOf(request);
    done();
  });
  app.get('/v1/capacity', () => readCapacity(ctx));
  app.get('/v1/state', () => readState(ctx, pin));
  app.get('/v1/instances', async () => ({ instances: await readInstances(ctx) }));
  app.get('/v1/instances/:uid', async ({ params }) => {
    const { uid } = read(byUID, params, 'the instance');
    const found = (await readInstances(ctx)).find(({ instanceUID }) => instanceUID === uid);
    if (found === undefined) throw new ApiFault(404, `there is no instance ${uid} on Mac ${ctx.serial}`);
    return found;
  });
  app.post('/v1/instances/:uid/stop', async (request) => {
    const { uid } = read(byUID, request.params, 'the instance');
    const body = read(stopBody, request.body, 'the request');
    await stopInstance(ctx, uid, clientOf(request), body?.bindingUID);
    return { instanceUID: uid, state: 'Stopped' };
  });
  app.get('/v1/journal', async ({ query }) => ({ seq: ctx.journal.ledger.seq, entries: await ctx.journal.events(read(after, query, 'the query').after, MOST_ENTRIES) }));
  addAuditHead(app, heads);
}

function addAuditHead(app: FastifyInstance, heads: AuditHeads): void {
  app.get('/v1/audit-head', async () => ({ heads: await heads.newest() }));
  app.put('/v1/audit-head', async (request) => {
    if (!clientOf(request).isOperator) throw new ApiFault(403, 'the operator alone hands out heads of the audit record');
    await heads.put(read(head, request.body, 'the head'));
    return {};
  });
}
