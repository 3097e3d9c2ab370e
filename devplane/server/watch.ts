import type { ServerResponse } from 'node:http';
import type { ApiObject, Json, JsonObject } from '../json';
import { storeKey } from '../resources/definition';
import { selection } from '../store/selectors';
import type { StoreEvent } from '../store/store';
import type { Call } from '../verbs/call';
import type { Plane } from '../verbs/plane';
import { badRequest, expired, invalid, StatusError } from './status-error';

interface WatchEvent {
  type: string;
  object: Json;
}

/** What a watcher with a selector sees of a change: an object that leaves the selection is DELETED to it. */
function visible(event: StoreEvent, matches: (object: ApiObject) => boolean): { type: string; object: ApiObject } | undefined {
  const is = event.type !== 'DELETED' && matches(event.object);
  const was = event.old !== undefined && matches(event.old);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object: event.object };
  return was ? { type: 'DELETED', object: event.object } : undefined;
}

function startRevision(plane: Plane, call: Call): number | undefined {
  const asked = call.query.get('resourceVersion') ?? '';
  if (call.query.get('sendInitialEvents') !== null) {
    throw invalid(call.definition, '', [{ reason: 'FieldValueForbidden', field: 'sendInitialEvents', message: 'Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled' }]);
  }
  if (asked === '' || asked === '0') return undefined;
  if (!/^\d+$/.test(asked)) throw badRequest(`Invalid value: "${asked}": strconv.ParseUint: parsing "${asked}": invalid syntax`);
  if (Number(asked) > plane.store.revision) throw new StatusError(504, 'Timeout', `Too large resource version: ${asked}, current: ${plane.store.revision}`);
  return Number(asked);
}

/**
 * Streams changes as JSON lines until the client goes, timeoutSeconds of real time pass (an advance of the clock is no reason to cut a connection), or the plane stops.
 * A start that the history no longer covers is one ERROR event with a 410 Status, as the real watch cache does.
 */
export function watch(plane: Plane, call: Call, response: ServerResponse, render: (object: ApiObject) => Json): void {
  const key = storeKey(call.definition);
  const select = selection(call.query);
  const matches = (object: ApiObject) => (call.namespace === undefined || object.metadata.namespace === call.namespace) && select(object);
  const from = startRevision(plane, call);
  const send = (event: WatchEvent) => response.write(`${JSON.stringify(event)}\n`);
  const forward = (event: StoreEvent) => {
    const seen = event.key === key ? visible(event, matches) : undefined;
    if (seen) send({ type: seen.type, object: render(seen.object) });
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  const missed = from === undefined ? [] : plane.store.since(from, key);
  if (missed === undefined) {
    const status: JsonObject = expired(`too old resource version: ${from} (${plane.store.revision})`).toStatus();
    send({ type: 'ERROR', object: status });
    response.end();
    return;
  }
  if (from === undefined) for (const object of plane.store.list(key, call.namespace).filter(select)) send({ type: 'ADDED', object: render(object) });
  for (const event of missed) forward(event);
  const unsubscribe = plane.store.subscribe(forward);
  const seconds = Number(call.query.get('timeoutSeconds') ?? 0);
  const timer = seconds > 0 ? setTimeout(() => response.end(), seconds * 1000) : undefined;
  response.on('close', () => {
    unsubscribe();
    clearTimeout(timer);
  });
}
