import 'reflect-metadata';
import { createPublicKey, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;
const CA_LIFE_MS = 3650 * DAY_MS;
// TLS is checked against the hosts' own clocks, not the API server's time; the margin is for hosts that disagree.
const BACKDATED_MS = DAY_MS;

/** A certificate with its key, as files and Secrets hold them. */
export interface PemPair {
  readonly certificatePem: string;
  /** PEM, PKCS #8. */
  readonly keyPem: string;
}

/** The authority of the webhooks: API servers trust its certificate, which is why it lives long. */
export interface Authority extends PemPair {
  /** Milliseconds since the epoch, by the clock of this host. */
  readonly notAfter: number;
  /** A serving certificate; never outlives the authority. */
  issue(names: readonly string[], lifeMs: number): Promise<ServingCertificate>;
}

export interface ServingCertificate extends PemPair {
  /** Milliseconds since the epoch, by the clock of this host. */
  readonly issuedAt: number;
  readonly notAfter: number;
}

const generateKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);

async function keyPem(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

const isAddress = (name: string): boolean => /^[0-9.]+$|:/.test(name);

async function issue(ca: x509.X509Certificate, signingKey: webcrypto.CryptoKey, names: readonly string[], lifeMs: number): Promise<ServingCertificate> {
  const keys = await generateKeys();
  const issuedAt = Date.now();
  const notAfter = new Date(Math.min(issuedAt + lifeMs, ca.notAfter.getTime()));
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=macrack-admission', issuer: ca.subject, publicKey: keys.publicKey, signingKey, signingAlgorithm: algorithm,
    notBefore: new Date(Math.max(ca.notBefore.getTime(), Math.min(issuedAt, notAfter.getTime()) - BACKDATED_MS)), notAfter,
    extensions: [
      new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: isAddress(value) ? 'ip' as const : 'dns' as const, value }))),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  });
  return { certificatePem: certificate.toString('pem'), keyPem: await keyPem(keys.privateKey), issuedAt, notAfter: certificate.notAfter.getTime() };
}

/** A new authority, valid for ten years. */
export async function createAuthority(): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await generateKeys();
  const now = Date.now();
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=macrack operator', keys, signingAlgorithm: algorithm, notBefore: new Date(now - BACKDATED_MS), notAfter: new Date(now + CA_LIFE_MS),
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true), new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true)],
  });
  return authorityOf(ca, keys.privateKey, { certificatePem: ca.toString('pem'), keyPem: await keyPem(keys.privateKey) });
}

function authorityOf(ca: x509.X509Certificate, key: webcrypto.CryptoKey, pair: PemPair): Authority {
  return { ...pair, notAfter: ca.notAfter.getTime(), issue: (names, lifeMs) => issue(ca, key, names, lifeMs) };
}

const belongTogether = (ca: x509.X509Certificate, pkcs8: ArrayBuffer): boolean => {
  const der = Buffer.from(pkcs8);
  const own = createPublicKey({ key: Buffer.from(`-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`), format: 'pem' }).export({ type: 'spki', format: 'der' });
  return own.equals(Buffer.from(ca.publicKey.rawData));
};

/**
 * The authority that files or a Secret hold: a CA certificate and its EC P-256 key in PKCS #8.
 * @throws Error that says what is wrong with it; never repeats the key
 */
export async function readAuthority(pair: PemPair): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const ca = parse('ca.crt holds no certificate in PEM text', () => new x509.X509Certificate(pair.certificatePem));
  const der = parse('ca.key holds no private key in PEM text (PKCS #8)', () => x509.PemConverter.decodeFirst(pair.keyPem));
  const key = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']).catch(() => {
    throw new Error('ca.key is not an EC P-256 private key in PKCS #8');
  });
  if (ca.getExtension(x509.BasicConstraintsExtension)?.ca !== true) throw new Error('ca.crt is not the certificate of an authority (basicConstraints CA:TRUE)');
  if (!belongTogether(ca, der)) throw new Error('ca.key does not belong to ca.crt');
  return authorityOf(ca, key, pair);
}

// What the parser says may quote the text, which may be a key.
function parse<T>(message: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new Error(message);
  }
}
