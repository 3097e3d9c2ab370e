import { createAuthority } from '../../operator/admission/certificates/authority';
import { CA_SECRET } from '../../operator/admission/certificates/secret-authority';
import { refuseToOverwrite, secretManifest, writeSecretFiles } from './secret-files';

const FILES = ['ca.crt', 'ca.key', 'secret.yaml'] as const;

/** Makes the authority by which API servers know the operator, before any operator runs. @throws Error where its files are there already */
export async function webhookCa({ out }: { readonly out: string }): Promise<void> {
  refuseToOverwrite(out, FILES);
  const { certificatePem, keyPem } = await createAuthority();
  writeSecretFiles(out, { 'ca.crt': certificatePem, 'ca.key': keyPem, 'secret.yaml': secretManifest(CA_SECRET, { 'ca.crt': certificatePem, 'ca.key': keyPem }) });
}
