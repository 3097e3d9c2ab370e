import { stringify } from 'yaml';
import type { KeyPair } from './server/certificates';

const base64 = (text: string) => Buffer.from(text).toString('base64');

export interface Access {
  /** Name of the user and of its context. */
  name: string;
  /** The context's namespace; default `default`. */
  namespace?: string;
  credential: { token: string } | KeyPair;
}

function userOf(credential: Access['credential']): Record<string, string> {
  return 'token' in credential ? { token: credential.token } : { 'client-certificate-data': base64(credential.certificate), 'client-key-data': base64(credential.key) };
}

/** A kubeconfig (YAML) with one context for each access; the first one is current. @param ca PEM */
export function kubeconfig(server: string, ca: string, accesses: Access[]): string {
  const cluster = 'macrack-devplane';
  return stringify({
    apiVersion: 'v1', kind: 'Config', 'current-context': accesses[0]?.name,
    clusters: [{ name: cluster, cluster: { server, 'certificate-authority-data': base64(ca) } }],
    users: accesses.map(({ name, credential }) => ({ name, user: userOf(credential) })),
    contexts: accesses.map(({ name, namespace }) => ({ name, context: { cluster, user: name, namespace: namespace ?? 'default' } })),
  });
}
