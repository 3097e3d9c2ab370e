import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(__dirname, '..', '..');
const documents = globSync(['README.md', 'docs/**/*.md', 'examples/**/*.md', 'bench/*.md', 'devplane/*.md'], { cwd: root }).filter((path) => !path.includes('node_modules')).sort();

interface Link { readonly from: string; readonly to: string; readonly anchor: string | undefined }

/** Links within the repository; code is no link. */
function linksOf(from: string): Link[] {
  const text = readFileSync(join(root, from), 'utf8').replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    const [path = '', anchor] = target.split('#');
    return /^[a-z]+:/.test(target) ? [] : [{ from, to: path === '' ? from : relative(root, join(root, dirname(from), path)), anchor }];
  });
}

/** Those that are written out, and those that GitHub makes of headings. */
function anchorsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8').replace(/^```.*?^```/gms, '');
  const headings = [...text.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-'));
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}

const links = documents.flatMap(linksOf);

it('there are documents, and links between them', () => {
  expect([documents.length > 10, links.length > 30]).toEqual([true, true]);
});

it('every link leads to a file, and every anchor to a place in it', () => {
  const dead = links.filter(({ to, anchor }) => !existsSync(join(root, to)) || (anchor !== undefined && !anchorsOf(to).includes(anchor)));
  expect(dead).toEqual([]);
});

it('every link of a document in the package leads to something in the package', () => {
  const [listing] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) as { files: { path: string }[] }[];
  const packed = (listing?.files ?? []).map(({ path }) => path);
  expect(packed).toContain('docs/README.md');
  const isPacked = (to: string): boolean => packed.some((path) => path === to || path.startsWith(`${to}/`));
  expect(links.filter(({ from, to }) => packed.includes(from) && !isPacked(to))).toEqual([]);
});
