import { stringify } from 'yaml';
import type { BootstrapToken } from './bootstrap-token';

/** Name of everything in it. */
export const BOOTSTRAP_NAME = 'macrack-bootstrap';

/** The kubeconfig (YAML) with which an agent asks for its first certificate. @param ca PEM */
export function bootstrapKubeconfig(server: string, ca: string, { id, secret }: BootstrapToken): string {
  const name = BOOTSTRAP_NAME;
  return stringify({
    apiVersion: 'v1', kind: 'Config', 'current-context': name,
    clusters: [{ name, cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name, user: { token: `${id}.${secret}` } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
  }, { lineWidth: 0 });
}
