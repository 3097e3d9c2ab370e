import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

export interface ServingCertificate {
  /** PEM of the CA that the API server must trust. */
  readonly caPem: string;
  readonly certificatePem: string;
  /** PEM, PKCS #8. */
  readonly keyPem: string;
}

// TLS is checked against the hosts' own clocks, not the API server's time; the margin is for hosts that disagree.
const validity = () => ({ notBefore: new Date(Date.now() - DAY_MS), notAfter: new Date(Date.now() + 3650 * DAY_MS) });

async function pem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

/** A new CA and a leaf for one host, kept in memory only: a restart makes another pair. */
export async function makeServingCertificate(host: string): Promise<ServingCertificate> {
  x509.cryptoProvider.set(webcrypto);
  const generate = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const [root, leaf] = await Promise.all([generate(), generate()]);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=macrack operator', keys: root, signingAlgorithm: algorithm, ...validity(),
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true), new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true)],
  });
  const isAddress = /^[0-9.]+$|:/.test(host);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=macrack-admission', issuer: ca.subject, publicKey: leaf.publicKey, signingKey: root.privateKey, signingAlgorithm: algorithm, ...validity(),
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: isAddress ? 'ip' : 'dns', value: host }]),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  });
  return { caPem: ca.toString('pem'), certificatePem: certificate.toString('pem'), keyPem: await pem(leaf.privateKey) };
}
