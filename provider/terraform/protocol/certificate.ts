import 'reflect-metadata';
import {
  BasicConstraintsExtension, ExtendedKeyUsage, ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension, PemConverter,
  SubjectAlternativeNameExtension, X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate with its private key, for one process. */
export interface Identity {
  readonly certificatePem: string;
  readonly certificateDer: Uint8Array;
  readonly privateKeyPem: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const MINUTE = 60_000;
/** Longer than any run: Terraform holds the process for hours at most. */
const LIFETIME = 365 * 24 * 60 * MINUTE;

/**
 * A self-signed identity that lives as long as the process. The peer pins this very certificate, which is why it
 * is its own authority; `localhost` is the name that peers verify.
 */
export async function selfSignedIdentity(now: Date): Promise<Identity> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex').replace(/^./, '1'),
    name: 'CN=localhost, O=MacRack',
    notBefore: new Date(now.getTime() - MINUTE),
    notAfter: new Date(now.getTime() + LIFETIME),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }]),
      new BasicConstraintsExtension(true, undefined, true),
      new KeyUsagesExtension(
        KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment | KeyUsageFlags.keyAgreement | KeyUsageFlags.keyCertSign, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth, ExtendedKeyUsage.serverAuth]),
    ],
  });
  return {
    certificatePem: certificate.toString('pem'),
    certificateDer: new Uint8Array(certificate.rawData),
    privateKeyPem: PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY'),
  };
}
