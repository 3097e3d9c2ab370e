import type { ServerResponse } from 'node:http';
import type { ApiObject, Json, JsonObject } from '../json';
import { apiVersionOf } from '../resources/definition';
import type { Call } from '../verbs/call';
import type { Plane } from '../verbs/plane';
import { StatusError } from './status-error';
import { table } from './tables';

export function sendJson(response: ServerResponse, code: number, body: Json): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Every error leaves as a `Status`; one that nobody foresaw is logged with its stack, and is a 500 to the client. */
export function sendError(response: ServerResponse, error: unknown): void {
  const known = error instanceof StatusError ? error : undefined;
  if (!known) process.stderr.write(`development plane: unexpected error: ${error instanceof Error ? error.stack : String(error)}\n`);
  const status = (known ?? new StatusError(500, 'InternalError', `Internal error occurred: ${String(error)}`)).toStatus();
  if (response.headersSent) response.destroy();
  else sendJson(response, known?.code ?? 500, status);
}

/** 299 is "miscellaneous persistent warning", as Kubernetes sends it. */
export function setWarnings(response: ServerResponse, warnings: string[]): void {
  const lines = [...new Set(warnings)].map((warning) => `299 - "${warning.replace(/[\\"]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')}"`);
  if (lines.length > 0) response.setHeader('warning', lines);
}

export function success(details: JsonObject): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
}

export const wantsTable = (accept: string) => /as=Table/.test(accept) && /v=v1(;|,|$)/.test(accept);

/** How objects leave for a client: as they are, or as rows of a table when it asked for that. */
export function renderer(plane: Plane, call: Call, accept: string): { one: (object: ApiObject) => Json; many: (objects: ApiObject[]) => Json } {
  const metadata = { resourceVersion: String(plane.store.revision) };
  const { definition, outward = (object: ApiObject) => object } = call;
  if (wantsTable(accept)) {
    const render = (objects: ApiObject[], meta: JsonObject) => table(definition, objects, meta, plane.clock.now(), call.query.get('includeObject') ?? 'Metadata');
    return { one: (object) => render([object], { resourceVersion: object.metadata.resourceVersion }), many: (objects) => render(objects, metadata) };
  }
  const seen = outward({ apiVersion: apiVersionOf(definition), kind: definition.kind, metadata: { name: '' } });
  return { one: outward, many: (objects) => ({ kind: `${definition.kind}List`, apiVersion: seen.apiVersion, metadata, items: objects.map(outward) }) };
}
