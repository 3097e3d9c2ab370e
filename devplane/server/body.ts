import type { IncomingMessage } from 'node:http';
import { parse } from 'yaml';
import type { Json } from '../json';
import { decodeProtobuf } from './protobuf';
import { badRequest, StatusError } from './status-error';

/** Kubernetes' own limit for a request body. */
const bodyLimit = 3 * 1024 * 1024;

const protobuf = 'application/vnd.kubernetes.protobuf';

export const mediaType = (request: IncomingMessage) => (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';

export function unsupported(accepted: readonly string[]): StatusError {
  return new StatusError(415, 'UnsupportedMediaType', `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`);
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${bodyLimit}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parsed(text: string, read: (text: string) => unknown, language: string): Json {
  try {
    return read(text) as Json;
  } catch (error) {
    throw badRequest(`the request body is not ${language}: ${(error as Error).message}`);
  }
}

/** The body of a request in any of the languages that kubectl speaks, undefined when there is none. @throws StatusError 400, 413 or 415 */
export async function readBody(request: IncomingMessage): Promise<Json | undefined> {
  const type = mediaType(request);
  if (/cbor/.test(type)) throw unsupported(['application/json', 'application/yaml', protobuf]);
  const bytes = await readBytes(request);
  if (bytes.length === 0) return undefined;
  if (type === protobuf) return decodeProtobuf(bytes);
  if (/yaml/.test(type)) return parsed(bytes.toString(), parse, 'YAML');
  return parsed(bytes.toString(), JSON.parse, 'JSON');
}
