import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Projects whose compiled code is in the bundle. */
const BUNDLED = ['sdk/rules', 'sdk/api', 'sdk/client', 'provider/core', 'provider/terraform'];

/**
 * The program that a launcher runs, in the compiled package at `dist`: the bundle, which loads in half the time, or `main.js`
 * where the bundle is missing or older than the code that it was made from.
 */
export function providerProgram(dist: string): string {
  const folder = resolve(dist, 'provider', 'terraform');
  const bundle = join(folder, 'bundle.js');
  const builds = BUNDLED.map((project) => join(dist, project, 'tsconfig.tsbuildinfo')).filter((file) => existsSync(file));
  const isCurrent = existsSync(bundle) && builds.every((file) => statSync(file).mtimeMs <= statSync(bundle).mtimeMs);
  return isCurrent ? bundle : join(folder, 'main.js');
}
