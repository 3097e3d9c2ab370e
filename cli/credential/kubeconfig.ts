import { stringify } from 'yaml';

const encode = (text: string): string => Buffer.from(text).toString('base64');

interface Parts {
  /** URL of the API server. */
  readonly server: string;
  /** PEM texts. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

/** The operator's kubeconfig, YAML. */
export function operatorKubeconfig({ server, ca, certificate, key }: Parts): string {
  const name = 'macrack-operator';
  return stringify({
    apiVersion: 'v1', kind: 'Config', 'current-context': name,
    clusters: [{ name, cluster: { server, 'certificate-authority-data': encode(ca) } }],
    users: [{ name, user: { 'client-certificate-data': encode(certificate), 'client-key-data': encode(key) } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'macrack-system' } }],
  }, { lineWidth: 0 });
}
