import 'reflect-metadata';
import { createHash, createPublicKey, webcrypto, type X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import { nodeName } from '../../sdk/api/names';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const PRIVATE_KEY = 'PRIVATE KEY';

/** A new private key: EC P-256, PKCS #8 in PEM. */
export async function newKey(): Promise<string> {
  const { privateKey } = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), PRIVATE_KEY);
}

/** SHA-256 of the public key that belongs to a private key, hexadecimal. */
export function fingerprint(keyPem: string): string {
  return createHash('sha256').update(createPublicKey(keyPem).export({ type: 'spki', format: 'der' })).digest('hex');
}

async function keysOf(keyPem: string): Promise<webcrypto.CryptoKeyPair> {
  const [pkcs8] = x509.PemConverter.decode(keyPem);
  if (pkcs8 === undefined) throw new Error('the key file holds no key');
  const privateKey = await webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, true, ['sign']);
  const spki = createPublicKey(keyPem).export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey: await webcrypto.subtle.importKey('spki', spki, ALGORITHM, true, ['verify']) };
}

function alternativeNames(names: readonly string[]): x509.Extension[] {
  if (names.length === 0) return [];
  return [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })))];
}

/** PKCS #10 in PEM, for the identity of a Mac's node. @param names DNS names and addresses; none for a client certificate */
export async function certificateRequest(keyPem: string, serial: string, names: readonly string[]): Promise<string> {
  x509.cryptoProvider.set(webcrypto);
  const name = [{ O: ['system:nodes'] }, { CN: [`system:node:${nodeName(serial)}`] }];
  const request = await x509.Pkcs10CertificateRequestGenerator.create({ name, keys: await keysOf(keyPem), signingAlgorithm: ALGORITHM, extensions: alternativeNames(names) });
  return request.toString('pem');
}

/** The names of a certificate, as `certificateRequest` takes them, sorted. */
export function namesOf(certificate: X509Certificate): readonly string[] {
  x509.cryptoProvider.set(webcrypto);
  const names = new x509.X509Certificate(certificate.raw).getExtension(x509.SubjectAlternativeNameExtension)?.names.items ?? [];
  return names.map(({ value }) => value).sort();
}
