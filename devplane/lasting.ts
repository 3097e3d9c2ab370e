import { Clock } from './clock';
import { type Authority, createAuthority, type KeyPair } from './server/certificates';
import { DataDirectory } from './store/data-directory';
import type { Journal } from './store/journal';

/** What of a plane outlives its process when it has a data directory; without one all of it is new. */
export interface Lasting {
  readonly journal: Journal | undefined;
  readonly clock: Clock;
  readonly authority: Authority;
  /** The token that a user had in an earlier life. */
  token(user: string): string | undefined;
  keepToken(user: string, token: string): void;
  /** The port of an earlier life, which kubeconfigs name; 0 when there is none. */
  readonly port: number;
  keepPort(port: number): void;
  close(): void;
}

async function keptAuthority(directory: DataDirectory): Promise<Authority> {
  const kept = directory.fact<{ certificate: string; key: string }>('authority');
  const authority = await createAuthority(kept);
  const { certificate, key }: KeyPair = authority;
  if (kept === undefined) directory.keep('authority', { certificate, key });
  return authority;
}

/** @throws Error when another process has the directory */
export async function openLasting(path: string | undefined): Promise<Lasting> {
  if (path === undefined) {
    const nothing = () => undefined;
    return { journal: undefined, clock: new Clock(), authority: await createAuthority(), token: nothing, keepToken: nothing, port: 0, keepPort: nothing, close: nothing };
  }
  const directory = new DataDirectory(path);
  const tokens = directory.fact<Record<string, string>>('tokens') ?? {};
  return {
    journal: directory, clock: new Clock(directory.fact<number>('clock-offset') ?? 0, (offset) => directory.keep('clock-offset', offset)), authority: await keptAuthority(directory),
    token: (user) => tokens[user],
    keepToken: (user, token) => {
      tokens[user] = token;
      directory.keep('tokens', tokens);
    },
    port: directory.fact<number>('port') ?? 0, keepPort: (port) => directory.keep('port', port), close: () => directory.close(),
  };
}
