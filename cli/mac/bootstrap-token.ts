import { randomInt } from 'node:crypto';
import { Kinds } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { isFault } from '../../sdk/client/errors';
import { formatInstant, instant, parseInstant, type Instant } from '../../sdk/rules/instant';

/** With it a Mac asks for its first certificate, and for nothing else. */
export interface BootstrapToken {
  /** Not a secret: the MacNode and the certificate request name it. */
  readonly id: string;
  readonly secret: string;
  readonly expiresAt: Instant;
}

const NAMESPACE = 'kube-system';
const LIFE_MS = 3_600_000;
/** A token with less left is made anew. */
const LEAST_LEFT_MS = 10 * 60_000;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

const word = (length: number): string => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
const nameOf = (id: string): string => `bootstrap-token-${id}`;
const decode = (text: string | undefined): string => Buffer.from(text ?? '', 'base64').toString();

/** Makes a token of the group `system:bootstrappers:macrack`, good for an hour. */
export async function createToken(plane: ControlPlane, serial: string, now: Instant): Promise<BootstrapToken> {
  const token = { id: word(6), secret: word(16), expiresAt: instant(now + LIFE_MS) };
  await plane.create(Kinds.Secret, {
    metadata: { namespace: NAMESPACE, name: nameOf(token.id) }, type: 'bootstrap.kubernetes.io/token',
    stringData: {
      description: `enrolment of Mac ${serial}`, 'token-id': token.id, 'token-secret': token.secret, expiration: formatInstant(token.expiresAt),
      'usage-bootstrap-authentication': 'true', 'auth-extra-groups': 'system:bootstrappers:macrack',
    },
  });
  return token;
}

async function isUsed(plane: ControlPlane, id: string): Promise<boolean> {
  const { items } = await plane.list(Kinds.CertificateSigningRequest);
  return items.some(({ spec, status }) => spec.username === `system:bootstrap:${id}` && status?.conditions?.some(({ type }) => type === 'Approved'));
}

/** The token of an enrolment, if it is there, has time left and has brought no certificate yet. */
export async function findUsableToken(plane: ControlPlane, id: string, now: Instant): Promise<BootstrapToken | undefined> {
  const stored = await plane.tryGet(Kinds.Secret, { namespace: NAMESPACE, name: nameOf(id) });
  const expiration = decode(stored?.data?.['expiration']);
  if (stored === null || expiration === '' || parseInstant(expiration) < now + LEAST_LEFT_MS || await isUsed(plane, id)) return undefined;
  return { id, secret: decode(stored.data?.['token-secret']), expiresAt: parseInstant(expiration) };
}

/** A token that nobody needs any more. One that is gone is as well. */
export async function revokeToken(plane: ControlPlane, id: string): Promise<void> {
  await plane.remove(Kinds.Secret, { namespace: NAMESPACE, name: nameOf(id) }).catch((error: unknown) => {
    if (!isFault(error, 'NotFound')) throw error;
  });
}
