import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the package that is no code: beside the sources, or above the compiled files. @throws Error where it is missing */
export function packageFile(...path: string[]): string {
  const found = [join(__dirname, '../..', ...path), join(__dirname, '../../..', ...path)].find((each) => existsSync(each));
  if (found === undefined) throw new Error(`${path.join('/')} of the package is missing: install the package anew`);
  return found;
}
