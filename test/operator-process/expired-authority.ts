import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, PemConverter, X509CertificateGenerator } from '@peculiar/x509';
import type { KeyPair } from '../../devplane/server/certificates';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A CA whose time is over. */
export async function expiredAuthority(): Promise<KeyPair> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const ca = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=expired', keys, signingAlgorithm: algorithm, notBefore: new Date('2020-01-01T00:00:00Z'), notAfter: new Date('2021-01-01T00:00:00Z'),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  return { certificate: ca.toString('pem'), key: PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY') };
}
