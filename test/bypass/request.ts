import { Agent, request as https } from 'node:https';
import type { KeyPair } from '../../devplane/server/certificates';
import type { ApiObject } from '../../devplane/json';

/** Bodies of a PATCH, by their short names. */
const CONTENT = {
  json: 'application/json', merge: 'application/merge-patch+json', strategic: 'application/strategic-merge-patch+json',
  patch: 'application/json-patch+json', apply: 'application/apply-patch+yaml',
} as const;

/** One HTTP request, as an attacker would send it: no client library smooths it. */
export interface Request {
  /** Default GET; with a body, POST. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: unknown;
  /** Default json; a PATCH is a merge patch unless this says otherwise. */
  readonly type?: keyof typeof CONTENT;
  /** Whose certificate is shown. Default: the attacker of the row. */
  readonly user?: string;
  /** Impersonate-User. */
  readonly as?: string;
  /** Default JSON. */
  readonly accept?: string;
  /** Impersonate-Group. */
  readonly groups?: readonly string[];
}

export interface Answer {
  readonly code: number;
  /** Status.message of a refusal; of anything else the whole text. */
  readonly text: string;
  readonly object: ApiObject | undefined;
}

/** Where requests go, and who may be whom. */
export interface Door {
  readonly url: string;
  readonly ca: string;
  readonly identify: (user: string) => Promise<KeyPair>;
}

function headersOf({ method = 'GET', body, type, as, groups = [], accept = 'application/json' }: Request, payload: string): [string, string][] {
  return [
    ...(body === undefined ? [] : [['content-type', CONTENT[type ?? (method === 'PATCH' ? 'merge' : 'json')]], ['content-length', String(Buffer.byteLength(payload))]] as [string, string][]),
    ...(as === undefined ? [] : [['impersonate-user', as]] as [string, string][]),
    ...groups.map((group): [string, string] => ['impersonate-group', group]),
    ['accept', accept],
  ];
}

function answerOf(code: number, text: string): Answer {
  let object: ApiObject | undefined;
  try {
    object = JSON.parse(text) as ApiObject;
  } catch {
    // Metrics and health are plain text.
  }
  const message = (object as { kind?: string; message?: string } | undefined)?.kind === 'Status' ? (object as { message?: string }).message : undefined;
  return { code, text: message ?? text, object };
}

/** The path with dryRun=All: the whole admission is passed and nothing is stored. */
export const dry = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}dryRun=All`;

/** The request as a dry run. The server reads the options of a DELETE from its body, where it has one, and then only there. */
export function dryRunOf(request: Request): Request {
  if (request.method === 'DELETE' && request.body !== undefined) return { ...request, body: { ...request.body, dryRun: ['All'] } };
  return { ...request, path: dry(request.path) };
}

// One connection for many requests: a handshake costs more than most of them. Idle ones hold no process open.
const connections = new WeakMap<KeyPair, Agent>();

function connectionOf({ ca }: Door, pair: KeyPair): Agent {
  const known = connections.get(pair) ?? new Agent({ keepAlive: true, ca, cert: pair.certificate, key: pair.key });
  connections.set(pair, known);
  return known;
}

/** Sends it with the certificate of `user`, unless the request names another. */
export async function send(door: Door, user: string, request: Request): Promise<Answer> {
  const agent = connectionOf(door, await door.identify(request.user ?? user));
  const method = request.method ?? (request.body === undefined ? 'GET' : 'POST');
  const payload = request.body === undefined ? '' : JSON.stringify(request.body);
  return new Promise((resolve, reject) => {
    const sent = https(new URL(request.path, door.url), { method, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(answerOf(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
      response.on('error', reject);
    });
    for (const [name, value] of headersOf({ ...request, method }, payload)) sent.appendHeader(name, value);
    sent.on('error', reject);
    sent.end(payload);
  });
}
