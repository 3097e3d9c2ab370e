import { dirname, resolve } from 'node:path';
import type { KubeconfigFile } from './kubeconfig-file';

type Entry = Readonly<Record<string, unknown>>;

/** The lists of a kubeconfig: what an entry holds, and which of that are paths. */
const LISTS = {
  clusters: { holds: 'cluster', paths: ['certificate-authority'] },
  contexts: { holds: 'context', paths: [] },
  users: { holds: 'user', paths: ['client-certificate', 'client-key'] },
} as const;

const isMapping = (value: unknown): value is Entry => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Relative paths start at the file that names them, so they are absolute before the files become one. */
function withAbsolutePaths(entry: Entry, holds: string, paths: readonly string[], directory: string): Entry {
  const held = entry[holds];
  if (!isMapping(held)) return entry;
  const absolute = paths.flatMap((key) => (typeof held[key] === 'string' ? [[key, resolve(directory, held[key])]] : []));
  return { ...entry, [holds]: { ...held, ...Object.fromEntries(absolute) as Entry } };
}

function entriesOf({ path, document }: KubeconfigFile, list: keyof typeof LISTS): Entry[] {
  const { holds, paths } = LISTS[list];
  const entries: unknown = document[list];
  return Array.isArray(entries) ? entries.filter(isMapping).map((entry) => withAbsolutePaths(entry, holds, paths, dirname(path))) : [];
}

function firstOfEachName(entries: readonly Entry[]): Entry[] {
  const byName = new Map<unknown, Entry>();
  for (const entry of entries) if (!byName.has(entry['name'])) byName.set(entry['name'], entry);
  return [...byName.values()];
}

/** Several kubeconfigs as one, as kubectl merges them: of each name, and of the current context, the first file that has it counts. */
export function mergeKubeconfigs(files: readonly [KubeconfigFile, ...KubeconfigFile[]]): KubeconfigFile {
  if (files.length === 1) return files[0];
  const merged = (list: keyof typeof LISTS): Entry[] => firstOfEachName(files.flatMap((file) => entriesOf(file, list)));
  const current = files.map(({ document }) => document['current-context']).find((name) => typeof name === 'string' && name !== '');
  return {
    path: files.map(({ path }) => path).join(', '),
    document: { kind: 'Config', ...(current !== undefined && { 'current-context': current }), clusters: merged('clusters'), contexts: merged('contexts'), users: merged('users') },
  };
}
