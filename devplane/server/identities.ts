import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { unauthorized } from './status-error';
import type { User } from './user';

export interface Credential extends User {
  token: string;
  /** Milliseconds since the epoch on the plane's clock; from then on the token is answered 401. Absent: never expires. */
  expiresAt?: number;
}

const authenticated = 'system:authenticated';

function byCertificate(socket: TLSSocket): User | undefined {
  if (!socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate();
  const name = [subject?.CN ?? []].flat()[0];
  return name === undefined ? undefined : { name, groups: [...[subject.O ?? []].flat(), authenticated] };
}

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Who makes a request: a client certificate of the plane's CA or a bearer token. Nobody is anonymous. @throws StatusError 401 */
export class Identities {
  readonly #credentials: Credential[] = [];

  constructor(private readonly now: () => number) {}

  add(credential: Credential): void {
    this.#credentials.push(credential);
  }

  authenticate(request: IncomingMessage): User {
    const user = byCertificate(request.socket as TLSSocket) ?? this.#byToken(request.headers.authorization);
    if (!user) throw unauthorized();
    return user;
  }

  #byToken(header: string | undefined): User | undefined {
    const token = /^Bearer (.+)$/.exec(header ?? '')?.[1];
    if (token === undefined) return undefined;
    const found = this.#credentials.find((credential) => isSame(credential.token, token));
    if (!found || (found.expiresAt !== undefined && found.expiresAt <= this.now())) return undefined;
    return { name: found.name, groups: [...found.groups, authenticated] };
  }
}
