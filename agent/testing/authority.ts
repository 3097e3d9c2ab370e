import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR_MS = 3_600_000;

export interface Leaf {
  /** Default: none. */
  readonly groups?: readonly string[];
  readonly dns?: readonly string[];
  readonly ips?: readonly string[];
  /** Default: a client's. */
  readonly usage?: 'client' | 'server';
  /** Milliseconds from now. Default one hour ago. */
  readonly fromMs?: number;
  /** Milliseconds from now. Default in one day. */
  readonly untilMs?: number;
}

export interface PemPair { readonly certificate: string; readonly key: string }

export interface TestAuthority {
  /** PEM. */
  readonly ca: string;
  /** A key and a certificate of CN `name`. */
  issue(name: string, leaf?: Leaf): Promise<PemPair>;
  /** A certificate for a request in PEM, as the signers of a cluster make them: subject and names of the request. */
  sign(request: string, leaf?: Leaf): Promise<string>;
}

const usageOf = ({ usage }: Leaf): x509.Extension => new x509.ExtendedKeyUsageExtension([usage === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth]);
const validityOf = ({ fromMs = -HOUR_MS, untilMs = 24 * HOUR_MS }: Leaf) => ({ notBefore: new Date(Date.now() + fromMs), notAfter: new Date(Date.now() + untilMs) });

function namesOf({ dns = [], ips = [] }: Leaf): x509.Extension[] {
  const names = [...dns.map((value) => ({ type: 'dns' as const, value })), ...ips.map((value) => ({ type: 'ip' as const, value }))];
  return names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)];
}

/** A certificate authority of one test. */
export async function createTestAuthority(name = 'test authority'): Promise<TestAuthority> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`, keys, signingAlgorithm: ALGORITHM, ...validityOf({}), extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  return authorityOf(root, keys.privateKey);
}

/** Signs in the name of an authority that exists. @param key PEM, PKCS #8 */
export async function openTestAuthority(certificate: string, key: string): Promise<TestAuthority> {
  x509.cryptoProvider.set(webcrypto);
  const [pkcs8 = new ArrayBuffer(0)] = x509.PemConverter.decode(key);
  return authorityOf(new x509.X509Certificate(certificate), await webcrypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['sign']));
}

function authorityOf(root: x509.X509Certificate, signingKey: webcrypto.CryptoKey): TestAuthority {
  const certify = async (subject: x509.JsonName | string, publicKey: webcrypto.CryptoKey | x509.PublicKey, leaf: Leaf, names: x509.Extension[]): Promise<string> => {
    const extensions = [usageOf(leaf), ...names];
    return (await x509.X509CertificateGenerator.create({ subject, issuer: root.subject, publicKey, signingKey, signingAlgorithm: ALGORITHM, ...validityOf(leaf), extensions })).toString('pem');
  };
  return {
    ca: root.toString('pem'),
    async issue(user, leaf = {}) {
      const own = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
      const certificate = await certify([...(leaf.groups ?? []).map((group) => ({ O: [group] })), { CN: [user] }], own.publicKey, leaf, namesOf(leaf));
      return { certificate, key: x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', own.privateKey), 'PRIVATE KEY') };
    },
    async sign(text, leaf = {}) {
      const request = new x509.Pkcs10CertificateRequest(text);
      const names = request.extensions.find((extension) => extension instanceof x509.SubjectAlternativeNameExtension);
      return certify(request.subject, request.publicKey, leaf, names === undefined ? [] : [names]);
    },
  };
}
