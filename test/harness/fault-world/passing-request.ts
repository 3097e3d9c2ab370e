import type { IncomingMessage } from 'node:http';
import type { RequestVerb } from '../../../devplane/server/route';

/** A request on its way to the API server. */
export interface PassingRequest {
  readonly verb: RequestVerb;
  /** Plural name, with the subresource where there is one: `macnodeleases/status`. */
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  /** False for reads, reviews and dry runs. */
  readonly isWrite: boolean;
  /** The parsed body of a write. */
  readonly body: unknown;
}

const VERBS: Readonly<Record<string, RequestVerb>> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
const READS: ReadonlySet<RequestVerb> = new Set(['get', 'list', 'watch']);

interface Place { readonly resource: string; readonly namespace?: string; readonly name?: string }

function placeOf(path: string): Place {
  const segments = path.split('/').filter(Boolean).map(decodeURIComponent);
  const rest = segments.slice(segments[0] === 'api' ? 2 : 3);
  const isScoped = rest[0] === 'namespaces' && rest.length > 2;
  const [plural = '', name, subresource] = isScoped ? rest.slice(2) : rest;
  return { resource: subresource === undefined ? plural : `${plural}/${subresource}`, ...(isScoped && { namespace: rest[1] ?? '' }), ...(name !== undefined && { name }) };
}

const nameIn = (body: unknown): string | undefined => (body as { metadata?: { name?: string } } | undefined)?.metadata?.name;

/** Reads what a request asks. A create has its name from the body. */
export function passingRequest({ method = 'GET', url = '/' }: IncomingMessage, text: string): PassingRequest {
  const { pathname, searchParams } = new URL(url, 'https://plane');
  const place = placeOf(pathname);
  const isWatch = searchParams.get('watch') === 'true';
  const verb = VERBS[method] ?? (isWatch ? 'watch' : place.name === undefined ? 'list' : 'get');
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const name = place.name ?? (verb === 'create' ? nameIn(body) : undefined);
  const isWrite = !READS.has(verb) && !searchParams.has('dryRun') && !place.resource.startsWith('selfsubject');
  return { verb, isWrite, body, ...place, ...(name !== undefined && { name }) };
}
