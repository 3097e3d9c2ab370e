import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCS, type Pages } from './pages';

function present(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md')).map((name) => name.replaceAll('\\', '/'));
}

/** Paths of pages that are missing, differ from what they should be, or should not be there. */
export function stalePages(pages: Pages, root: string): string[] {
  const folder = join(root, DOCS);
  const names = new Set([...Object.keys(pages), ...present(folder)]);
  return [...names].filter((name) => !existsSync(join(folder, name)) || readFileSync(join(folder, name), 'utf8') !== pages[name]).sort();
}
