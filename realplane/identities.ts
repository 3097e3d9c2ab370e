import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kubeconfig } from '../devplane/kubeconfig';
import { type Authority, createAuthority, type KeyPair } from '../devplane/server/certificates';

/** Paths of what the servers read. */
export interface IdentityFiles {
  readonly ca: string;
  /** Of the authority itself: the controller manager signs the certificates of agents. */
  readonly caKey: string;
  readonly certificate: string;
  readonly key: string;
  readonly serviceAccountPublic: string;
  readonly serviceAccountPrivate: string;
}

export interface Identities {
  /** PEM of the authority. */
  readonly ca: string;
  readonly files: IdentityFiles;
  /** The client certificate of a user, the same at every call; its groups follow from its name. */
  readonly identify: (user: string) => Promise<KeyPair>;
  /** A new serving certificate. */
  readonly serve: Authority['serve'];
  /** YAML. */
  readonly kubeconfig: (server: string, user: string, namespace?: string) => Promise<string>;
}

export const ADMIN = 'macrack-admin';
export const OPERATOR = 'macrack-operator';
/** May ask agents, and nothing of the API. */
export const FLEET_OPERATOR = 'macrack-fleet-operator';
export const SERVING_NAMES = { dns: ['localhost', 'kubernetes.default.svc'], ips: ['127.0.0.1', '10.0.0.1'] };

/** Groups that a user's certificate names, beside system:authenticated. */
export function groupsOf(user: string): readonly string[] {
  if (user === ADMIN) return ['system:masters'];
  if (user === OPERATOR) return ['macrack:operators'];
  if (user === FLEET_OPERATOR) return ['macrack:fleet-operators'];
  return user.startsWith('system:node:') ? ['system:nodes'] : [];
}

function writer(directory: string) {
  return (name: string, text: string): string => {
    const path = join(directory, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
}

async function writeFiles(authority: Authority, directory: string): Promise<IdentityFiles> {
  const write = writer(directory);
  const serving = await authority.serve(SERVING_NAMES);
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return {
    ca: write('ca.crt', authority.certificate), caKey: write('ca.key', authority.key), certificate: write('serving.crt', serving.certificate), key: write('serving.key', serving.key),
    serviceAccountPublic: write('sa.pub', publicKey), serviceAccountPrivate: write('sa.key', privateKey),
  };
}

/** A new authority with all that the servers need, in files of `directory`. */
export async function createIdentities(directory: string): Promise<Identities> {
  const authority = await createAuthority();
  const known = new Map<string, Promise<KeyPair>>();
  const identify = (user: string): Promise<KeyPair> => {
    const pair = known.get(user) ?? authority.identify(user, groupsOf(user));
    known.set(user, pair);
    return pair;
  };
  return {
    ca: authority.certificate, files: await writeFiles(authority, directory), identify, serve: (names) => authority.serve(names),
    kubeconfig: async (server, user, namespace) => kubeconfig(server, authority.certificate, [{ name: user, credential: await identify(user), ...(namespace && { namespace }) }]),
  };
}
