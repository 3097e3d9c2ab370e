import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';

const deploy = resolve(__dirname, '../../deploy');

/** Every object of every file of a folder of deploy/. */
export function manifests<T>(folder: string): T[] {
  const names = readdirSync(join(deploy, folder)).filter((name) => name.endsWith('.yaml')).sort();
  return names.flatMap((name) => parseAllDocuments(readFileSync(join(deploy, folder, name), 'utf8')).map((document) => document.toJS() as T));
}
