import type { Kind, KubeObject } from '../../../sdk/api/object';
import type { ControlPlane } from '../../../sdk/client/control-plane';
import { isFault } from '../../../sdk/client/errors';
import { createAuthority, readAuthority, type Authority } from './authority';

/** Name of the Secret with the webhooks' CA. */
export const CA_SECRET = 'macrack-webhook-ca';

type Secret = KubeObject & { data?: Record<string, string> };
const SECRET: Kind<Secret> = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };

const encode = (text: string): string => Buffer.from(text).toString('base64');
const decode = (text: string | undefined): string => Buffer.from(text ?? '', 'base64').toString('utf8');

async function makeSecret(plane: ControlPlane, namespace: string): Promise<Secret> {
  const { certificatePem, keyPem } = await createAuthority();
  try {
    return await plane.create(SECRET, { metadata: { namespace, name: CA_SECRET }, type: 'Opaque', data: { 'ca.crt': encode(certificatePem), 'ca.key': encode(keyPem) } });
  } catch (error) {
    if (isFault(error, 'AlreadyExists')) return plane.get(SECRET, { namespace, name: CA_SECRET });
    throw error;
  }
}

/**
 * The authority in the Secret `macrack-webhook-ca`. Made once, by name: of replicas that start together one makes it and all use it. Its keys,
 * ca.crt and ca.key, are the file names that a CA directory has. Rejects with PlaneError, or with Error where the Secret holds no such pair.
 */
export async function secretAuthority(plane: ControlPlane, namespace: string): Promise<Authority> {
  const { data } = await plane.tryGet(SECRET, { namespace, name: CA_SECRET }) ?? await makeSecret(plane, namespace);
  try {
    return await readAuthority({ certificatePem: decode(data?.['ca.crt']), keyPem: decode(data?.['ca.key']) });
  } catch (error) {
    throw new Error(`the webhooks' CA in Secret ${namespace}/${CA_SECRET} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
