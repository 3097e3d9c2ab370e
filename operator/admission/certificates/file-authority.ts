import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readAuthority, type Authority } from './authority';

async function read(directory: string, name: string): Promise<string> {
  try {
    return await readFile(join(directory, name), 'utf8');
  } catch (error) {
    throw new Error(`${join(directory, name)} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`, { cause: error });
  }
}

/**
 * The authority in ca.crt and ca.key of a directory, as a static webhook configuration on a control-plane host needs it: its caBundle is written
 * before any operator runs. Throws Error that names the file at fault.
 */
export async function fileAuthority(directory: string): Promise<Authority> {
  const certificatePem = await read(directory, 'ca.crt');
  const keyPem = await read(directory, 'ca.key');
  try {
    return await readAuthority({ certificatePem, keyPem });
  } catch (error) {
    throw new Error(`the webhooks' CA in ${directory} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
