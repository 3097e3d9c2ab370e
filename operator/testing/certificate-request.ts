import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

export interface Requested {
  /** Default: `O=system:nodes` and the node of Mac c02a. */
  readonly subject?: x509.JsonName;
  readonly names?: x509.JsonGeneralName[];
  /** Default: new ones. */
  readonly keys?: CryptoKeyPair;
}

export type CryptoKeyPair = webcrypto.CryptoKeyPair;

export function newKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

/** A PKCS #10 request as `spec.request` carries it: PEM in base64. */
export async function certificateRequest({ subject = [{ O: ['system:nodes'] }, { CN: ['system:node:mac-c02a'] }], names = [], keys }: Requested = {}): Promise<string> {
  x509.cryptoProvider.set(webcrypto);
  const extensions = names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)];
  const request = await x509.Pkcs10CertificateRequestGenerator.create({ name: subject, keys: keys ?? await newKeys(), signingAlgorithm: algorithm, extensions });
  return Buffer.from(request.toString('pem')).toString('base64');
}
