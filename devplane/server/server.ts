import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Json } from '../json';
import type { Clock } from '../clock';
import { authorize } from '../rbac/authorize';
import { qualifiedResource } from '../resources/definition';
import { type Call, isDryRun } from '../verbs/call';
import type { Plane } from '../verbs/plane';
import { sendError, sendJson } from './answer';
import { clockPath, turnClock } from './clock-endpoint';
import { discover } from './discovery';
import { dispatch, send } from './dispatch';
import type { Identities } from './identities';
import type { User } from './user';
import { impersonated } from './impersonate';
import type { RequestObserver } from './observer';
import { reviewAccess, reviewPath } from './reviews';
import { type Route, route } from './route';
import { badRequest, notImplemented, StatusError } from './status-error';

export interface Serving {
  plane: Plane;
  identities: Identities;
  observer: RequestObserver;
}

/** Kubernetes' own limit for a request body. */
const bodyLimit = 3 * 1024 * 1024;

async function readBody(request: IncomingMessage): Promise<Json | undefined> {
  assertMediaType(request);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${bodyLimit}`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw badRequest(`the request body is not JSON: ${(error as Error).message}`);
  }
}

const patchTypes = ['application/merge-patch+json', 'application/json-patch+json'];

function assertMediaType(request: IncomingMessage): void {
  const type = (request.headers['content-type'] ?? '').split(';')[0] ?? '';
  if (request.method === 'PATCH' && !patchTypes.includes(type)) {
    if (/apply-patch|strategic-merge-patch/.test(type)) throw notImplemented(`PATCH with ${type}: use ${patchTypes.join(' or ')}`);
    throw new StatusError(415, 'UnsupportedMediaType', `the body of the request was in an unknown format - accepted media types include: ${patchTypes.join(', ')}`);
  }
  if (/protobuf|yaml|cbor/.test(type)) throw new StatusError(415, 'UnsupportedMediaType', 'the body of the request was in an unknown format - accepted media types include: application/json');
}

const readOnly = new Set(['get', 'list', 'watch']);

async function answerResource(serving: Serving, found: Route, user: User, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { observer } = serving;
  const { verb, ...target } = found;
  const body = readOnly.has(verb) ? undefined : await readBody(request);
  const call: Call = { user, ...target, query: url.searchParams, warnings: [], ...(body !== undefined && { body }) };
  const resource = `${qualifiedResource(found.definition)}${found.subresource ? `/${found.subresource}` : ''}`;
  const isWrite = !readOnly.has(verb) && !isDryRun(call);
  const record = observer.record({ user: user.name, verb, resource, ...(found.namespace && { namespace: found.namespace }), ...(found.name && { name: found.name }) }, isWrite);
  if (!(await isReached(observer, 'before', record, response))) return;
  const outcome = await dispatchAuthorized(serving, found, call, request, response);
  if (await isReached(observer, 'after', record, response)) outcome();
}

/** @returns sends the answer; a refusal too is sent only after the `after` hooks. */
async function dispatchAuthorized({ plane }: Serving, found: Route, call: Call, request: IncomingMessage, response: ServerResponse): Promise<() => void> {
  try {
    authorize(plane, call.user, found, call.query);
    const outcome = await dispatch(plane, found.verb, call, request.headers.accept ?? '', response);
    return () => send(response, call, outcome);
  } catch (error) {
    return () => sendError(response, error);
  }
}

/** A hook that throws is a crash: the connection ends without an answer. */
async function isReached(observer: RequestObserver, moment: 'before' | 'after', record: Parameters<RequestObserver['run']>[1], response: ServerResponse): Promise<boolean> {
  try {
    await observer.run(moment, record);
    return true;
  } catch {
    response.socket?.destroy();
    return false;
  }
}

async function handle(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { plane, identities } = serving;
  const url = new URL(request.url ?? '/', 'https://plane');
  const user = impersonated(identities.authenticate(request), request.headers);
  if (['/healthz', '/livez', '/readyz'].includes(url.pathname)) return void response.end('ok');
  const discovered = discover(url.pathname, plane.resources);
  if (discovered) return sendJson(response, 200, discovered);
  if (url.pathname.startsWith('/openapi')) throw notImplemented('OpenAPI documents');
  if (url.pathname === clockPath) return sendJson(response, 200, turnClock(plane.clock, user, request.method ?? '', await readBody(request)));
  if (url.pathname === reviewPath && request.method === 'POST') return sendJson(response, 201, reviewAccess(plane, user, await readBody(request)));
  const found = route(request.method ?? '', url, plane.resources);
  await answerResource(serving, found, user, url, request, response);
}

function onRequest(serving: Serving, clock: Clock, request: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  response.setHeader('date', new Date(clock.now()).toUTCString());
  handle(serving, request, response).catch((error: unknown) => sendError(response, error));
}

/** Listens on 127.0.0.1. @param port 0 takes any free one. */
export async function listen(serving: Serving, tls: { key: string; cert: string; ca: string }, port: number): Promise<{ server: Server; port: number }> {
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => onRequest(serving, serving.plane.clock, request, response));
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? new Error(`port ${port} of 127.0.0.1 is taken: choose another one, or 0 for any that is free`, { cause: error }) : error));
    server.listen(port, '127.0.0.1', resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}
