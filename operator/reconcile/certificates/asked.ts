import 'reflect-metadata';
import { createHash, webcrypto } from 'node:crypto';
import { isIPv6 } from 'node:net';
import * as x509 from '@peculiar/x509';

/** What a PKCS #10 request asks for, and proof that its author has the key. */
export interface AskedCertificate {
  /** Every attribute of the subject, as `CN=…` and `O=…`. */
  readonly subject: readonly string[];
  readonly dns: readonly string[];
  readonly ips: readonly string[];
  /** Names of any other sort (mail, URI, …). */
  readonly otherNames: readonly string[];
  /** SHA-256 of the public key, hexadecimal. */
  readonly publicKey: string;
}

/** One spelling of an address; IPv6 has many. */
export function plainAddress(address: string): string {
  return isIPv6(address) ? new URL(`https://[${address}]`).hostname.slice(1, -1) : address;
}

// One block and nothing around it. Of several, or of one that begins within a line, the API server and the signer would read another than we judge.
const ONE_REQUEST = /^-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/]+={0,2}\r?\n)+-----END CERTIFICATE REQUEST-----\s*$/;

function derOf(encoded: string): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(encoded, 'base64').toString('latin1');
  if (!ONE_REQUEST.test(text)) throw new TypeError('not one block of PEM');
  return Uint8Array.from(Buffer.from(text.split(/\r?\n/).filter((line) => !line.startsWith('-----')).join(''), 'base64'));
}

function namesOf(request: x509.Pkcs10CertificateRequest): readonly x509.GeneralName[] {
  const extension = request.extensions.find((e) => e instanceof x509.SubjectAlternativeNameExtension);
  return extension?.names.items ?? [];
}

/** Reads `spec.request` of a certificate signing request. Undefined for what is no request, or one that its own key did not sign. */
export async function readRequest(encoded: string): Promise<AskedCertificate | undefined> {
  x509.cryptoProvider.set(webcrypto);
  try {
    const request = new x509.Pkcs10CertificateRequest(derOf(encoded));
    if (!(await request.verify())) return undefined;
    const names = namesOf(request);
    const of = (type: string): string[] => names.filter((n) => n.type === type).map((n) => n.value);
    return {
      subject: request.subjectName.toJSON().flatMap((part) => Object.entries(part).flatMap(([key, values]) => values.map((value) => `${key}=${value}`))),
      dns: of('dns'), ips: of('ip').map(plainAddress), otherNames: names.filter((n) => n.type !== 'dns' && n.type !== 'ip').map((n) => n.value),
      publicKey: createHash('sha256').update(Buffer.from(request.publicKey.rawData)).digest('hex'),
    };
  } catch {
    return undefined; // Whoever may create a request may put anything into it; what it is not is all that counts.
  }
}
