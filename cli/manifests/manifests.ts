import { stringify } from 'yaml';
import type { ApiObject } from '../../devplane/json';
import { deployDirectory } from '../../devplane/package-files';
import { requestedObjects } from './objects';
import { type ManifestArguments, requestOf } from './options';
import { requestedFiles } from './static-files';
import { writeStaticFiles } from './write-files';

export function yamlOf(objects: readonly ApiObject[]): string {
  return objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
}

/** Prints what is applied through the API, and writes what belongs on the control-plane hosts. @throws RangeError or Error, with nothing written */
export function manifests(args: ManifestArguments): void {
  const request = requestOf(args);
  const deploy = deployDirectory();
  const [objects, files] = [requestedObjects(deploy, request), requestedFiles(deploy, request)];
  if (request.out !== undefined) {
    for (const path of writeStaticFiles(request.out, files)) process.stderr.write(`macrack: ${path} was there before and is no file of this version: it stays in force until it is removed\n`);
  }
  process.stdout.write(yamlOf(objects));
}
