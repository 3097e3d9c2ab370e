import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { macrackProvider } from '../provider';
import { DOCS, pagesOf } from './pages';
import { stalePages } from './stale-pages';

// Run from the root of the package; with `--verify` it writes nothing, and fails where a page is not current.
const root = process.cwd();
const pages = pagesOf(macrackProvider(), root);
const stale = stalePages(pages, root);

function write(name: string): void {
  const path = join(root, DOCS, name);
  const text = pages[name];
  if (text === undefined) return rmSync(path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

if (process.argv.includes('--verify')) {
  for (const name of stale) console.error(`not current: ${join(DOCS, name)}`);
  if (stale.length > 0) console.error('Run `npm run generate` and commit what it writes.');
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  stale.forEach(write);
  console.log(`${DOCS}: ${Object.keys(pages).length} pages, ${stale.length} written`);
}
