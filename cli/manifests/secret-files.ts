import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

const encode = (text: string): string => Buffer.from(text).toString('base64');

/** A Secret in the operator's namespace. @param data texts by key */
export function secretManifest(name: string, data: Readonly<Record<string, string>>): string {
  const encoded = Object.fromEntries(Object.entries(data).map(([key, text]) => [key, encode(text)]));
  return stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'macrack-system' }, type: 'Opaque', data: encoded }, { lineWidth: 0 });
}

/** Refuses where a file is there already: what it holds may be in use. @throws Error */
export function refuseToOverwrite(directory: string, names: readonly string[]): void {
  const there = names.map((name) => join(directory, name)).find((path) => existsSync(path));
  if (there !== undefined) throw new Error(`${there} is there already and may be in use: choose another directory, or move it away`);
}

/** Writes files for their owner's eyes only, none of which was there: all of them, or none. @throws Error that names the directory, with nothing written */
export function writeSecretFiles(directory: string, files: Readonly<Record<string, string>>): void {
  refuseToOverwrite(directory, Object.keys(files));
  const begun: string[] = [];
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    for (const [name, text] of Object.entries(files)) {
      const path = join(directory, name);
      const descriptor = openSync(path, 'wx', 0o600);
      begun.push(path);
      try {
        writeFileSync(descriptor, text);
      } finally {
        closeSync(descriptor);
      }
    }
  } catch (error) {
    // Half a key, or a certificate without its key, would be taken for the whole by the next command.
    for (const path of begun) rmSync(path, { force: true });
    throw new Error(`${directory} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
