import type { CertificateSigningRequest } from '../../sdk/api/core-objects';
import { Kinds } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { ConditionTimeout, until } from '../../sdk/client/until';

const SIGNER = 'kubernetes.io/kube-apiserver-client';

const encode = (text: string): string => Buffer.from(text).toString('base64');

function certificateIn({ metadata, status }: CertificateSigningRequest): string | undefined {
  const refused = status?.conditions?.find(({ type }) => type === 'Denied' || type === 'Failed');
  if (refused !== undefined) throw new Error(`the cluster did not sign certificate request ${metadata.name}: ${refused.type ?? ''}: ${refused.message ?? refused.reason ?? 'it says no more'}`);
  return status?.certificate === undefined ? undefined : Buffer.from(status.certificate, 'base64').toString();
}

async function signed(plane: ControlPlane, name: string): Promise<string> {
  try {
    return await until(`certificate request ${name} is signed`, async () => certificateIn(await plane.get(Kinds.CertificateSigningRequest, { name })), 60);
  } catch (error) {
    if (!(error instanceof ConditionTimeout)) throw error;
    throw new Error(`certificate request ${name} was approved and is not signed: this cluster's controller manager does not sign for ${SIGNER} (csrsigning with --cluster-signing-cert-file), or a managed cluster gives out no client certificates`);
  }
}

/**
 * Has the cluster certify a request as the one who asks: creates it, approves it with that user's rights, and waits. The request object goes
 * afterwards; the cluster itself removes one that stays. @param request PEM. @returns the certificate, PEM. @throws PlaneError or Error
 */
export async function certify(plane: ControlPlane, request: string, lifeSeconds: number): Promise<string> {
  const { metadata: { name } } = await plane.create(Kinds.CertificateSigningRequest, {
    metadata: { name: `macrack-operator-${Date.now()}` },
    spec: { request: encode(request), signerName: SIGNER, usages: ['digital signature', 'client auth'], expirationSeconds: lifeSeconds },
  });
  try {
    const approved = { type: 'Approved', status: 'True', reason: 'OperatorCredential', message: 'made and approved with `macrack operator-credential`' };
    await plane.patch(Kinds.CertificateSigningRequest, { name }, { status: { conditions: [approved] } }, { subresource: 'approval' });
    return await signed(plane, name);
  } finally {
    await plane.remove(Kinds.CertificateSigningRequest, { name }).catch(() => undefined);
  }
}
