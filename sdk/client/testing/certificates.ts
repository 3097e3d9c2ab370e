import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator, type X509Certificate } from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const YEARS = { notBefore: new Date('2020-01-01T00:00:00Z'), notAfter: new Date('2049-01-01T00:00:00Z') };

export interface PemPair {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority with a key of its own. */
export interface Authority {
  readonly cert: string;
  issue(name: string, address?: string): Promise<PemPair>;
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> => webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

async function pairOf(certificate: X509Certificate, keys: webcrypto.CryptoKeyPair): Promise<PemPair> {
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') };
}

/** Makes an authority whose certificates are valid from 2020 to 2049. */
export async function newAuthority(name: string): Promise<Authority> {
  const keys = await newKeys();
  const certificate = await X509CertificateGenerator.createSelfSigned({ name: `CN=${name}`, keys, signingAlgorithm: ALGORITHM, ...YEARS, extensions: [new BasicConstraintsExtension(true, undefined, true)] });
  let serial = 1;
  return {
    cert: certificate.toString('pem'),
    async issue(subject, address) {
      const own = await newKeys();
      const extensions = address === undefined ? [] : [new SubjectAlternativeNameExtension([{ type: 'ip', value: address }])];
      const issued = await X509CertificateGenerator.create({ serialNumber: String((serial += 1)).padStart(2, '0'), subject, issuer: certificate.subject, publicKey: own.publicKey, signingKey: keys.privateKey, signingAlgorithm: ALGORITHM, ...YEARS, extensions });
      return pairOf(issued, own);
    },
  };
}
