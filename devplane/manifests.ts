import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { ApiObject } from './json';

const isManifest = (name: string) => /\.(ya?ml|json)$/.test(name);

function documents(file: string): ApiObject[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).flatMap((document) => {
    if (document.errors[0]) throw new Error(`${file}: ${document.errors[0].message}`);
    const value = document.toJS() as ApiObject | null;
    return value === null ? [] : [value];
  });
}

/** All objects of a file, or of the YAML and JSON files of a directory in the order of their names. @throws Error naming the file */
export function readManifests(path: string): ApiObject[] {
  const files = statSync(path).isDirectory() ? readdirSync(path).filter(isManifest).sort().map((name) => join(path, name)) : [path];
  return files.flatMap(documents);
}
