import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../clock';
import { textAt } from '../json';
import { authorize } from '../rbac/authorize';
import { qualifiedResource } from '../resources/definition';
import { type Call, isDryRun } from '../verbs/call';
import type { Plane } from '../verbs/plane';
import { sendError, sendJson } from './answer';
import { mediaType, readBody } from './body';
import { clockPath, turnClock } from './clock-endpoint';
import { discover } from './discovery';
import { dispatch, send } from './dispatch';
import type { Identities } from './identities';
import type { User } from './user';
import { impersonated } from './impersonate';
import type { RequestObserver } from './observer';
import { openApi } from './openapi';
import { reviewerOf } from './reviews';
import { type Route, route } from './route';
import { invalid, notImplemented } from './status-error';

export interface Serving {
  plane: Plane;
  identities: Identities;
  observer: RequestObserver;
}

const readOnly = new Set(['get', 'list', 'watch']);

async function answerResource(serving: Serving, found: Route, user: User, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { observer } = serving;
  const { verb, ...target } = found;
  const body = readOnly.has(verb) ? undefined : await readBody(request);
  const call: Call = { user, ...target, query: url.searchParams, warnings: [], ...(body !== undefined && { body }), ...(verb === 'patch' && { patchType: mediaType(request) }), ...(verb.startsWith('delete') && { isDeletion: true }) };
  const resource = `${qualifiedResource(found.definition)}${found.subresource ? `/${found.subresource}` : ''}`;
  const isWrite = !readOnly.has(verb) && !isDryRun(call);
  const record = observer.record({ user: user.name, verb, resource, ...(found.namespace && { namespace: found.namespace }), ...(found.name && { name: found.name }) }, isWrite);
  if (!(await isReached(observer, 'before', record, response))) return;
  const outcome = await dispatchAuthorized(serving, found, call, request, response);
  if (!(await isReached(observer, 'after', record, response))) return;
  outcome();
  if (response.statusCode >= 400) record.isRefused = true;
}

/** A resource that shows another one is authorised under its own name, then carried out on that one. */
function stored(call: Call): Call {
  const { view } = call.definition;
  if (!view) return call;
  const faults = call.name === undefined && call.body !== undefined ? view.as.faults(call.body) : [];
  if (faults.length > 0) throw invalid(call.definition, textAt(call.body, 'metadata', 'name'), faults);
  const body = view.as.inward(call.body);
  return { ...call, definition: view.of, outward: (object) => view.as.outward(object), ...(body !== undefined && { body }) };
}

/** @returns sends the answer; a refusal too is sent only after the `after` hooks. */
async function dispatchAuthorized({ plane }: Serving, found: Route, call: Call, request: IncomingMessage, response: ServerResponse): Promise<() => void> {
  try {
    authorize(plane, call.user, found, call.query);
    const outcome = await dispatch(plane, found.verb, stored(call), request.headers.accept ?? '', response);
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
  if (url.pathname.startsWith('/openapi/v3')) return sendJson(response, 200, openApi(url.pathname, plane.resources));
  if (url.pathname.startsWith('/openapi')) throw notImplemented('OpenAPI v2: read /openapi/v3');
  if (url.pathname === clockPath) return sendJson(response, 200, turnClock(plane.clock, user, request.method ?? '', await readBody(request)));
  const review = request.method === 'POST' ? reviewerOf(url.pathname) : undefined;
  if (review) return sendJson(response, 201, review(plane, user, await readBody(request)));
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
  // Longer than clients keep a connection: with Node's five seconds a request may meet a connection that is just being closed.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? new Error(`port ${port} of 127.0.0.1 is taken: choose another one, or 0 for any that is free`, { cause: error }) : error));
    server.listen(port, '127.0.0.1', resolve);
  });
  return { server, port: (server.address() as AddressInfo).port };
}
