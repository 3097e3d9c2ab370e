import { createPrivateKey, X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { fingerprint, newKey } from './certificate-request';
import type { DurableFiles } from './durable-files';

/** A certificate with its key, in PEM. */
export interface Pair {
  readonly certificate: string;
  readonly key: string;
  readonly x509: X509Certificate;
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
}

const BLOCK = /-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----\n?/g;

function parse(text: string): Pair {
  const blocks = [...text.matchAll(BLOCK)];
  const of = (type: string): string => blocks.filter(([, found]) => found === type).map(([block]) => `${block.trimEnd()}\n`).join('');
  const [certificate, key] = [of('CERTIFICATE'), of('PRIVATE KEY')];
  const x509 = new X509Certificate(certificate);
  if (!x509.checkPrivateKey(createPrivateKey(key))) throw new Error('the key is not that of the certificate');
  return { certificate, key, x509, notBefore: Date.parse(x509.validFrom), notAfter: Date.parse(x509.validTo) };
}

/**
 * One certificate of the agent in the state directory, and the key of the request that is under way.
 * Certificate and key are one file, so that no crash can leave the one without the other. The key of a request is on the disk before anybody
 * is asked: an enrolment is good for one key, and whoever loses that key has to be enrolled again.
 */
export class PairStore {
  /** Certificate and key that are used. */
  readonly path: string;
  readonly #nextKey: string;

  constructor(directory: string, private readonly files: DurableFiles) {
    this.path = join(directory, 'current.pem');
    this.#nextKey = join(directory, 'next.key');
  }

  /** Undefined before the first. @throws Error for a file that holds no certificate and its key */
  async current(): Promise<Pair | undefined> {
    const text = await this.files.read(this.path);
    try {
      return text === undefined ? undefined : parse(text);
    } catch (error) {
      throw new Error(`${this.path} cannot be used: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }

  /** The key to ask a certificate for: the same at every call until it is installed or given up, over restarts too. */
  async nextKey(): Promise<string> {
    const found = await this.files.read(this.#nextKey);
    if (found !== undefined && isKey(found) && !await this.#isInUse(found)) return found;
    const key = await newKey();
    await this.files.write(this.#nextKey, key);
    return key;
  }

  /** Nobody will sign for this key. */
  giveUp(): Promise<void> {
    return this.files.remove(this.#nextKey);
  }

  /** Uses a certificate from now on. @throws Error for one that is not for this key */
  async install(certificate: string, key: string): Promise<Pair> {
    const pair = parse(`${certificate.trimEnd()}\n${key}`);
    await this.files.write(this.path, `${pair.certificate}${pair.key}`);
    await this.files.remove(this.#nextKey);
    return pair;
  }

  // After a crash between the two writes of `install` the key is left behind, and a renewal wants a new one.
  async #isInUse(key: string): Promise<boolean> {
    const current = await this.current().catch(() => undefined);
    return current !== undefined && fingerprint(current.key) === fingerprint(key);
  }
}

function isKey(text: string): boolean {
  try {
    createPrivateKey(text);
    return true;
  } catch {
    return false;
  }
}
