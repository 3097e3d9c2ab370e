import { Annotation, nodeName } from '../../sdk/api/names';
import type { CertificateSigningRequest } from '../../sdk/api/core-objects';
import { Kinds } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { isFault } from '../../sdk/client/errors';
import type { Timers } from '../../sdk/client/timers';
import { certificateRequest, fingerprint } from './certificate-request';
import type { Pair, PairStore } from './pair-store';

/** What sort of certificate, in the words of Kubernetes. */
export interface Signing {
  readonly purpose: 'client' | 'serving';
  readonly signerName: string;
  readonly usages: readonly string[];
}

export const CLIENT: Signing = { purpose: 'client', signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['digital signature', 'client auth'] };
export const SERVING: Signing = { purpose: 'serving', signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'] };

/** Somebody said no to a request for a certificate. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused';
}

export interface Asked {
  /** Lower case. */
  readonly serial: string;
  readonly hardwareUUID: string;
  /** Names that a serving certificate is to have. */
  readonly names: readonly string[];
}

interface Waiting { readonly timers: Timers; readonly signal: AbortSignal }

const POLL_MS = 1000;

/**
 * Asks for a certificate, waits until it is approved and signed, and installs it. Asked again after a crash it goes on with the same key and the same request.
 * Rejects with CertificateRefused when it is denied, with PlaneError when the plane cannot be asked, and with the reason of `signal` when that aborts.
 */
export async function obtain(plane: ControlPlane, store: PairStore, signing: Signing, asked: Asked, waiting: Waiting): Promise<Pair> {
  const key = await store.nextKey();
  const name = `${nodeName(asked.serial)}.${signing.purpose}.${fingerprint(key).slice(0, 16)}`;
  await request(plane, name, key, signing, asked);
  const certificate = await answer(plane, name, waiting).catch(async (error: unknown) => {
    // The request of this key is answered for good.
    if (error instanceof CertificateRefused) await store.giveUp();
    throw error;
  });
  return store.install(certificate, key);
}

async function request(plane: ControlPlane, name: string, key: string, signing: Signing, { serial, hardwareUUID, names }: Asked): Promise<void> {
  const pem = await certificateRequest(key, serial, names);
  try {
    await plane.create(Kinds.CertificateSigningRequest, {
      metadata: { name, annotations: { [Annotation.HardwareUUID]: hardwareUUID } },
      spec: { request: Buffer.from(pem).toString('base64'), signerName: signing.signerName, usages: [...signing.usages] },
    });
  } catch (error) {
    if (!isFault(error, 'AlreadyExists')) throw error;
  }
}

async function answer(plane: ControlPlane, name: string, { timers, signal }: Waiting): Promise<string> {
  for (;;) {
    signal.throwIfAborted();
    const { status } = await plane.get(Kinds.CertificateSigningRequest, { name });
    const refusal = status?.conditions?.find(({ type }) => type === 'Denied' || type === 'Failed');
    if (refusal !== undefined) throw new CertificateRefused(`request ${name} was ${refusal.type === 'Denied' ? 'denied' : 'approved and could not be signed'} (${refusal.reason}): ${refusal.message}`);
    if (isIssued(status)) return Buffer.from(status.certificate, 'base64').toString('utf8');
    await new Promise<void>((resolve) => {
      timers.after(POLL_MS, resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

function isIssued(status: CertificateSigningRequest['status']): status is { certificate: string } {
  return status?.certificate !== undefined && status.certificate !== '';
}
