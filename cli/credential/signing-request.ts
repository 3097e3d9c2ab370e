import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** PEM texts. */
export interface SigningRequest { readonly request: string; readonly key: string }

/** The name that the policies know the operator by; there is no switch for another. */
export const OPERATOR_SUBJECT: x509.JsonName = [{ O: ['macrack:operators'] }, { CN: ['macrack-operator'] }];

/** A new key, and the request to certify it as the operator's. */
export async function newSigningRequest(): Promise<SigningRequest> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({ name: OPERATOR_SUBJECT, keys, signingAlgorithm: algorithm });
  return { request: request.toString('pem'), key: x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY') };
}

/** When an issued certificate ends. @throws Error when it is not the operator's */
export function endOfOperatorCertificate(pem: string): Date {
  const { subjectName, notAfter } = new x509.X509Certificate(pem);
  if (subjectName.getField('CN').join() !== 'macrack-operator' || !subjectName.getField('O').includes('macrack:operators')) throw new Error(`the cluster signed a certificate for ${subjectName.toString()}, not for macrack-operator`);
  return notAfter;
}
