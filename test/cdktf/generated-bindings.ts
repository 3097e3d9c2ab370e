import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { header } from '../../cli/demo/configurations';
import type { Engine } from '../../cli/terraform/engine';
import { installForDevelopment } from '../../provider/terraform/install/development-install';
import { providerProgram } from '../../provider/terraform/install/program';
import { LIBRARIES, type Library } from './flavour';

const root = resolve(__dirname, '..', '..');

/** What the libraries' `get` does once it has the schema: `node -e GENERATE <generator> <schema> <directory>`. */
const GENERATE = `
const [generator, schema, directory] = process.argv.slice(1);
const { CodeMaker, TerraformProviderGenerator } = require(generator);
const code = Object.assign(new CodeMaker(), { indentation: 2 });
const bindings = new TerraformProviderGenerator(code, JSON.parse(require('node:fs').readFileSync(schema, 'utf8')));
bindings.generateAll();
bindings.save(directory);
`;

/** Bindings for the built provider, freshly made by each library's own generator. */
export interface GeneratedBindings {
  /** Folder with a folder of each construct in it. */
  folder(library: Library): string;
  remove(): void;
}

/** Asks the engine for the schema of the built provider, and has both libraries make bindings of it. */
export function generateBindings({ command }: Engine): GeneratedBindings {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-bindings-'));
  const { environment } = installForDevelopment(join(directory, 'provider'), { main: providerProgram(join(root, 'dist')) });
  const work = join(directory, 'work');
  mkdirSync(work);
  writeFileSync(join(work, 'main.tf'), header(''));
  const env = { ...process.env, ...environment, CHECKPOINT_DISABLE: '1' };
  const schema = join(directory, 'schema.json');
  writeFileSync(schema, execFileSync(command, ['providers', 'schema', '-json'], { cwd: work, env, stdio: ['ignore', 'pipe', 'ignore'] }));
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  for (const library of LIBRARIES) {
    execFileSync(process.execPath, ['-e', GENERATE, join(root, 'node_modules', `@${library}`, 'provider-generator'), schema, join(directory, library)], { env, stdio: 'ignore' });
  }
  return { folder: (library) => join(directory, library, 'providers', 'macrack'), remove: () => rmSync(directory, { recursive: true, force: true }) };
}
