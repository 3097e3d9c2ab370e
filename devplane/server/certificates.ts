import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const day = 86_400_000;

export interface KeyPair {
  /** PEM. */
  certificate: string;
  /** PEM, PKCS #8. */
  key: string;
}

export interface Authority {
  /** PEM of the self-signed CA certificate. */
  certificate: string;
  /** PEM, PKCS #8: for whoever signs in its name. */
  key: string;
  serve(names: { dns: string[]; ips: string[] }): Promise<KeyPair>;
  /** A client certificate: CN is the user, each O a group. */
  identify(user: string, groups: readonly string[]): Promise<KeyPair>;
}

const generateKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

async function pem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

/** Real time, not the plane's clock: TLS checks certificates against the host's clock. Ten years, since the plane never outlives it. */
const validity = () => ({ notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + 3650 * day) });

function selfSigned(keys: webcrypto.CryptoKeyPair): Promise<x509.X509Certificate> {
  return x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=macrack development plane', keys, signingAlgorithm: algorithm, ...validity(),
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true), new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true)],
  });
}

/** A self-signed CA: a new one, or the one that was kept. */
export async function createAuthority(kept?: KeyPair): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const made = kept ? undefined : await generateKeys();
  const root = kept ? new x509.X509Certificate(kept.certificate) : await selfSigned(made as webcrypto.CryptoKeyPair);
  const signingKey = made?.privateKey ?? await webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(kept?.key ?? ''), algorithm, true, ['sign']);
  const issue = async (subject: x509.JsonName, extensions: x509.Extension[]): Promise<KeyPair> => {
    const leaf = await generateKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject, issuer: root.subject, publicKey: leaf.publicKey, signingKey, signingAlgorithm: algorithm, ...validity(), extensions,
    });
    return { certificate: certificate.toString('pem'), key: await pem(leaf.privateKey) };
  };
  return {
    certificate: root.toString('pem'),
    key: await pem(signingKey),
    serve: ({ dns, ips }) => issue([{ CN: ['macrack-devplane'] }], [
      new x509.SubjectAlternativeNameExtension([...dns.map((value) => ({ type: 'dns' as const, value })), ...ips.map((value) => ({ type: 'ip' as const, value }))]),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ]),
    identify: (user, groups) => issue([...groups.map((group) => ({ O: [group] })), { CN: [user] }], [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])]),
  };
}
