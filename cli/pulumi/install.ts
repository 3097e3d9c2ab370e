import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { packagePath } from '../../devplane/package-files';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Packages that a program itself needs: the SDK, and what TypeScript programs are compiled with. */
const OF_PROGRAMS = ['@pulumi/pulumi', 'typescript', '@types/node'];

/** Where Node finds a package that is asked for from `from`; undefined where it is not installed. */
function tryFindPackage(name: string, from: string): string | undefined {
  const found = join(from, 'node_modules', name);
  if (existsSync(join(found, 'package.json'))) return found;
  return dirname(from) === from ? undefined : tryFindPackage(name, dirname(from));
}

function link(name: string, root: string, modules: string): void {
  const target = tryFindPackage(name, root);
  if (target === undefined) throw new Error(`the package ${name} is not installed: run npm install`);
  const place = join(modules, name);
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(target, place);
}

const packageRoot = (): string => dirname(packagePath('package.json'));

/** @throws Error that says what to run where the package has no compiled components */
export function assertBuilt(root: string = packageRoot()): void {
  const built = join(root, 'dist', 'components', 'pulumi', 'bundle.js');
  if (!existsSync(built)) throw new Error(`the components for Pulumi are not built (${built} is missing): run \`npm run build\` first`);
}

// A build in place would change files that were linked, under a running program.
function isShipped(file: string): boolean {
  return !/\.(map|tsbuildinfo)$/.test(file) && !file.endsWith(`${sep}dist${sep}.test`);
}

/**
 * Installs the built package into `<dir>/node_modules`, for all programs in and below `dir`: macrack as files of its own, since
 * Pulumi writes a linked package into the state by value; its dependencies and the packages of programs as links.
 * @param root of the package; default this one
 * @throws Error where the package is not built, or a dependency is not installed
 */
export function installMacrack(dir: string, root: string = packageRoot()): void {
  assertBuilt(root);
  const modules = join(dir, 'node_modules');
  rmSync(join(modules, 'macrack'), { recursive: true, force: true });
  for (const part of ['package.json', 'dist']) cpSync(join(root, part), join(modules, 'macrack', part), { recursive: true, filter: isShipped });
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys(dependencies)) link(name, root, modules);
  installPrograms(dir);
}

/** Makes only the packages of programs resolvable in and below `dir`. */
export function installPrograms(dir: string): void {
  const root = packageRoot();
  for (const name of OF_PROGRAMS) link(name, root, join(dir, 'node_modules'));
}
