import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { until } from '../sdk/client/until';
import type { ServerProcess } from './processes';

const ANSWER_MS = 2000;

/** What a probe shows of itself and trusts; nothing for plain HTTP. */
export interface ProbeTls { readonly ca: string; readonly cert: string; readonly key: string }

/** Status of one answer; 0 when nobody answers. */
export function probe(url: string, tls?: ProbeTls): Promise<number> {
  return new Promise((resolve) => {
    const ask = url.startsWith('https:') ? httpsRequest(url, { ...tls, agent: false }) : httpRequest(url, { agent: false });
    ask.setTimeout(ANSWER_MS, () => ask.destroy(new Error('no answer')));
    ask.on('error', () => resolve(0));
    ask.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    ask.end();
  });
}

/** Waits until a server answers 200. Throws with the end of its log as soon as it runs no more. */
export async function untilReady(server: ServerProcess, url: string, tls?: ProbeTls): Promise<void> {
  await until(`${server.name} is ready`, async () => {
    server.assertRuns();
    return await probe(url, tls) === 200 ? true : undefined;
  });
}
