import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindings } from './bindings';

const folder = join(process.cwd(), 'components', 'cdktf', 'bindings');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const files = bindings(version);
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!(name.replace(/\.ts$/, '') in files)) rmSync(join(folder, name));
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, `${name}.ts`), text);
console.log(`components/cdktf/bindings: ${Object.keys(files).length} files`);
