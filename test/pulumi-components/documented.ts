import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(__dirname, '..', '..');

/** The block of a page that stands below the comment `<!-- name -->`. */
export function documented(page: string, name: string): string {
  const text = readFileSync(resolve(root, page), 'utf8');
  const found = new RegExp(`<!-- ${name.replaceAll('.', '\\.')} -->\\n\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(text)?.[1];
  if (found === undefined) throw new Error(`${page} has no block ${name}`);
  return found;
}

/** The first block of a page in a language. */
export function firstBlock(page: string, language: string): string {
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readFileSync(resolve(root, page), 'utf8'))?.[1] ?? '';
}
