import type { ServerResponse } from 'node:http';
import type { ApiObject, Json } from '../json';
import { apiVersionOf, storeKey } from '../resources/definition';
import { selection } from '../store/selectors';
import type { StoreEvent } from '../store/store';
import type { Call } from '../verbs/call';
import type { Plane } from '../verbs/plane';
import { badRequest, expired, invalidOptions } from './status-error';

interface WatchEvent {
  type: string;
  object: Json;
}

/** Of real time, as the real watch cache sends them. */
const bookmarkMs = 60_000;

/** What a watcher with a selector sees of a change: an object that leaves the selection is DELETED to it. */
function visible(event: StoreEvent, matches: (object: ApiObject) => boolean): { type: string; object: ApiObject } | undefined {
  const is = event.type !== 'DELETED' && matches(event.object);
  const was = event.old !== undefined && matches(event.old);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object: event.object };
  return was ? { type: 'DELETED', object: event.object } : undefined;
}

const isTrue = (call: Call, name: string) => ['true', '1'].includes(call.query.get(name) ?? '');

/** The revision to start after, or undefined to begin with all that is there. */
function startRevision(call: Call): number | undefined {
  const asked = call.query.get('resourceVersion') ?? '';
  const match = call.query.get('resourceVersionMatch');
  if (isTrue(call, 'sendInitialEvents') && match !== 'NotOlderThan') throw invalidOptions('ListOptions', 'resourceVersionMatch', 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  if (!/^\d*$/.test(asked)) throw badRequest(`invalid resource version: resourceVersion: Invalid value: "${asked}": strconv.ParseUint: parsing "${asked}": invalid syntax`);
  return asked === '' || asked === '0' || isTrue(call, 'sendInitialEvents') ? undefined : Number(asked);
}

/** `initial-events-end` tells a client that asked for the initial events that it has them all. */
function bookmark(plane: Plane, call: Call, isInitial: boolean): WatchEvent {
  const annotations = isInitial && { annotations: { 'k8s.io/initial-events-end': 'true' } };
  return { type: 'BOOKMARK', object: { apiVersion: apiVersionOf(call.definition), kind: call.definition.kind, metadata: { resourceVersion: String(plane.store.revision), ...annotations } } };
}

/** Ends with the connection, or after timeoutSeconds of real time: an advance of the clock is no reason to cut a connection. */
function keepOpen(call: Call, response: ServerResponse, mark: () => void, unsubscribe: () => void): void {
  const seconds = Number(call.query.get('timeoutSeconds') ?? 0);
  const isMarked = isTrue(call, 'allowWatchBookmarks');
  const marks = isMarked ? setInterval(mark, bookmarkMs) : undefined;
  const end = () => {
    if (isMarked) mark();
    response.end();
  };
  const timer = seconds > 0 ? setTimeout(end, seconds * 1000) : undefined;
  response.on('close', () => {
    unsubscribe();
    clearTimeout(timer);
    clearInterval(marks);
  });
}

/**
 * Streams changes as JSON lines until the client goes, timeoutSeconds pass, or the plane stops.
 * A start that the history no longer covers is one ERROR event with a 410 Status, as the real watch cache does; one from the future waits for it.
 */
export function watch(plane: Plane, call: Call, response: ServerResponse, render: (object: ApiObject) => Json): void {
  const key = storeKey(call.definition);
  const select = selection(call.query, call.definition);
  const matches = (object: ApiObject) => (call.namespace === undefined || object.metadata.namespace === call.namespace) && select(object);
  const from = startRevision(call);
  // One that has ended closes only in a later turn, and changes go on meanwhile.
  const send = (event: WatchEvent) => response.writableEnded || response.write(`${JSON.stringify(event)}\n`);
  const forward = (event: StoreEvent) => {
    const seen = event.key === key && event.revision > (from ?? 0) ? visible(event, matches) : undefined;
    if (seen) send({ type: seen.type, object: render(seen.object) });
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  const missed = from === undefined ? [] : plane.store.since(from, key);
  if (missed === undefined) {
    send({ type: 'ERROR', object: expired(`too old resource version: ${from} (${plane.store.revision})`).toStatus() });
    response.end();
    return;
  }
  if (from === undefined) for (const object of plane.store.list(key, call.namespace).filter(select)) send({ type: 'ADDED', object: render(object) });
  if (isTrue(call, 'sendInitialEvents') && isTrue(call, 'allowWatchBookmarks')) send(bookmark(plane, call, true));
  for (const event of missed) forward(event);
  keepOpen(call, response, () => send(bookmark(plane, call, false)), plane.store.subscribe(forward));
}
