import { webcrypto } from 'node:crypto';
import { certificateRequest, newKeys as newKeyPair, type Requested, type CryptoKeyPair } from '../../operator/testing/certificate-request';
import { Kinds } from '../../sdk/api/kinds';
import { Annotation } from '../../sdk/api/names';
import type { ControlPlane } from '../../sdk/client/control-plane';

export const CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
export const SERVING = 'kubernetes.io/kubelet-serving';

export interface Keys extends CryptoKeyPair {
  /** PEM, PKCS #8. */
  pem(): Promise<string>;
}

export async function newKeys(): Promise<Keys> {
  const { privateKey, publicKey } = await newKeyPair();
  const pem = async (): Promise<string> => {
    const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
    return `-----BEGIN PRIVATE KEY-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
  };
  return { privateKey, publicKey, pem };
}

export interface CertificateAsked extends Requested {
  readonly signerName: string;
  readonly hardwareUUID: string;
}

/** Asks for a certificate as an agent does. */
export async function askCertificate({ plane, name, signerName, hardwareUUID, ...requested }: CertificateAsked & { readonly plane: ControlPlane; readonly name: string }): Promise<void> {
  const usages = ['digital signature', signerName === CLIENT ? 'client auth' : 'server auth'];
  await plane.create(Kinds.CertificateSigningRequest, { metadata: { name, annotations: { [Annotation.HardwareUUID]: hardwareUUID } }, spec: { request: await certificateRequest(requested), signerName, usages } });
}
