import { request } from 'node:https';
import type { Json } from '../json';

/** The words of Go's HTTP client, which clients of a real plane see. */
function describe(url: URL, error: NodeJS.ErrnoException): string {
  const cause = error.code === 'ECONNREFUSED' ? `dial tcp ${url.host}: connect: connection refused` : error.message;
  return `Post "${url.href}": ${cause}`;
}

/** POSTs an AdmissionReview. The time limit is real time, whatever the plane's clock does. @throws Error in the words of the real server */
export function postReview(url: URL, ca: string | undefined, review: Json, timeoutSeconds: number): Promise<Json> {
  const payload = JSON.stringify(review);
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new Error(describe(url, error), { cause: error }));
    const sent = request(url, { method: 'POST', ...(ca && { ca }), headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        if (response.statusCode !== 200) return fail(new Error(`the server responded with the status code ${response.statusCode} but did not return more information`));
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString()) as Json);
        } catch (error) {
          fail(error as Error);
        }
      });
    });
    const timer = setTimeout(() => sent.destroy(new Error('context deadline exceeded')), timeoutSeconds * 1000);
    sent.on('close', () => clearTimeout(timer));
    sent.on('error', fail);
    sent.end(payload);
  });
}
