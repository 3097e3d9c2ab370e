import { connect, type ControlPlane } from '../../sdk/client';
import { authorityOf } from '../cluster-authority';
import { refuseToOverwrite, secretManifest, writeSecretFiles } from '../manifests/secret-files';
import { certify } from './certify';
import { operatorKubeconfig } from './kubeconfig';
import { endOfOperatorCertificate, newSigningRequest } from './signing-request';

/** The Secret that the operator's Deployment mounts. */
const SECRET = 'macrack-operator-credential';
const FILES = ['kubeconfig', 'secret.yaml'] as const;

export interface CredentialOptions {
  /** Where the files go. */
  readonly out: string;
  /** Whole days; the cluster may sign for less. */
  readonly days: number;
  /** Kubeconfig of the administrator; default: as kubectl finds it. */
  readonly kubeconfig?: string;
  readonly context?: string;
  /** URL of the API server for the operator; default: the administrator's. */
  readonly server?: string;
}

async function credential(plane: ControlPlane, options: CredentialOptions): Promise<{ kubeconfig: string; end: Date }> {
  const ca = await authorityOf(plane);
  const { request, key } = await newSigningRequest();
  const certificate = await certify(plane, request, options.days * 86_400);
  const end = endOfOperatorCertificate(certificate);
  return { kubeconfig: operatorKubeconfig({ server: options.server ?? plane.endpoint, ca, certificate, key }), end };
}

/** Makes the operator's credential: `kubeconfig`, and the same as `secret.yaml` for its Deployment. @throws Error with nothing written */
export async function operatorCredential(options: CredentialOptions): Promise<void> {
  refuseToOverwrite(options.out, FILES);
  const plane = await connect({ ...(options.kubeconfig !== undefined && { configPath: options.kubeconfig }), ...(options.context !== undefined && { configContext: options.context }) });
  try {
    const { kubeconfig, end } = await credential(plane, options);
    writeSecretFiles(options.out, { kubeconfig, 'secret.yaml': secretManifest(SECRET, { kubeconfig }) });
    process.stderr.write(`macrack: the operator's certificate is valid until ${end.toISOString()}; make the next one before\n`);
  } finally {
    plane.close();
  }
}
