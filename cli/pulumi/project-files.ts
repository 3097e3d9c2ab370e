import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Contents by path under the project's directory. */
export type Files = Readonly<Record<string, string>>;

// Loading the TypeScript compiler takes longer than the rest of a small JavaScript program.
function projectFile(project: string, isTypeScript: boolean): string {
  return [`name: ${project}`, 'runtime:', '  name: nodejs', '  options:', `    typescript: ${String(isTypeScript)}`, ''].join('\n');
}

/**
 * Writes a program: one text is `index.js`. `Pulumi.yaml` and `package.json` are made where the files bring none; a program with an
 * `index.ts` is run as TypeScript.
 */
export function writeProgram(directory: string, project: string, program: string | Files): void {
  const files: Files = typeof program === 'string' ? { 'index.js': program } : program;
  const isTypeScript = files['index.ts'] !== undefined;
  const defaults: Files = {
    'Pulumi.yaml': projectFile(project, isTypeScript),
    'package.json': JSON.stringify({ name: project, private: true, main: isTypeScript ? 'index.ts' : 'index.js' }),
  };
  for (const [path, text] of Object.entries({ ...defaults, ...files })) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
}

/** Writes a program that declares nothing, unless there is one. */
export function ensureProgram(directory: string, project: string): void {
  if (!existsSync(join(directory, 'Pulumi.yaml'))) writeProgram(directory, project, '');
}

/** Writes plain values of a stack, unless it has a file; making the stack adds to it. */
export function writeStackFile(directory: string, stack: string, config: Readonly<Record<string, string>>): void {
  const file = join(directory, `Pulumi.${stack}.yaml`);
  if (existsSync(file) || Object.keys(config).length === 0) return;
  writeFileSync(file, ['config:', ...Object.entries(config).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`), ''].join('\n'));
}
