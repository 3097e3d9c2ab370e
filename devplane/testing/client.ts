import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiObject, Json } from '../json';
import type { DevelopmentPlane } from '../plane';

/** Answer of a plain HTTPS request, for the plane's own tests. */
export interface Answer {
  code: number;
  headers: NodeJS.Dict<string | string[]>;
  body: ApiObject & { message?: string; reason?: string; items?: ApiObject[] };
}

export interface Ask {
  method?: string;
  body?: Json;
  type?: string;
  accept?: string;
  token?: string;
  headers?: Record<string, string>;
}

/** One HTTPS request as the user of a token (default: a token that nobody has). */
export function ask(plane: DevelopmentPlane, path: string, { method = 'GET', body, type, accept = 'application/json', token = 'none', headers = {} }: Ask = {}): Promise<Answer> {
  const contentType = type ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
  const payload = body === undefined ? '' : JSON.stringify(body);
  const sentHeaders = { accept, authorization: `Bearer ${token}`, 'content-type': contentType, 'content-length': Buffer.byteLength(payload), ...headers };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, plane.url), { method, ca: plane.ca, agent: false, headers: sentHeaders }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ code: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) as Answer['body'] }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(payload);
  });
}

/** Follows a watch until `enough` says so or the server ends it. */
export function follow(plane: DevelopmentPlane, path: string, token: string, enough: (events: { type: string; object: Answer['body'] }[]) => boolean): Promise<{ type: string; object: Answer['body'] }[]> {
  return new Promise((resolve, reject) => {
    const events: { type: string; object: Answer['body'] }[] = [];
    const sent = request(new URL(path, plane.url), { ca: plane.ca, agent: false, headers: { authorization: `Bearer ${token}` } }, (response) => {
      let rest = '';
      response.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) events.push(JSON.parse(line) as { type: string; object: Answer['body'] });
        if (enough(events)) {
          resolve(events);
          sent.destroy();
        }
      });
      response.on('end', () => resolve(events));
    });
    sent.on('error', reject);
    sent.end();
  });
}

export interface Kubectl {
  code: number;
  out: string;
  err: string;
}

/** The real kubectl on PATH, as a user of the plane. */
export function kubectl(plane: DevelopmentPlane, user: string, ...args: string[]): Promise<Kubectl> {
  const directory = mkdtempSync(join(tmpdir(), 'devplane-'));
  const config = join(directory, 'kubeconfig');
  writeFileSync(config, plane.kubeconfig(user));
  return new Promise((resolve) => {
    execFile('kubectl', ['--kubeconfig', config, '--cache-dir', join(directory, 'cache'), ...args], { timeout: 20_000 }, (error, out, err) => {
      rmSync(directory, { recursive: true, force: true });
      resolve({ code: error ? (typeof error.code === 'number' ? error.code : -1) : 0, out, err });
    });
  });
}
