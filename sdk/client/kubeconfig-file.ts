import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { ConnectionError, type ConnectOptions } from './connect-options';

type Environment = Readonly<Record<string, string | undefined>>;

/** A kubeconfig that was read: its path for messages, and its document with `tokenFile` in the form that client-node reads again and again. */
export interface KubeconfigFile {
  readonly path: string;
  readonly document: Readonly<Record<string, unknown>>;
}

function expandHome(path: string, env: Environment): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  if (!env.HOME) throw new ConnectionError(`config_path ${path} starts at the home directory, but HOME is not set`, 'config_path');
  return join(env.HOME, path.slice(1));
}

/** Paths of kubeconfigs, at least one; `asked` unless they are the default. */
interface KubeconfigPaths {
  readonly paths: readonly [string, ...string[]];
  readonly asked: boolean;
}

// As for kubectl, a file that is missing from a list of several is no fault.
function fromVariable(value: string, env: Environment): readonly [string, ...string[]] {
  const [first, ...more] = value.split(delimiter).filter((path) => path !== '').map((path) => expandHome(path, env));
  if (first === undefined) throw new ConnectionError('KUBECONFIG names no file', 'config_path');
  const [present, ...others] = [first, ...more].filter((path) => existsSync(path));
  return present === undefined ? [first] : [present, ...others];
}

/** Which files to read, in the order of kubectl; undefined where neither option nor environment names one. */
export function kubeconfigPaths(options: ConnectOptions, env: Environment): KubeconfigPaths | undefined {
  const [first, ...more] = options.configPaths ?? (options.configPath === undefined ? [] : [options.configPath]);
  if (first !== undefined) return { paths: [expandHome(first, env), ...more.map((path) => expandHome(path, env))], asked: true };
  if (env.KUBECONFIG) return { paths: fromVariable(env.KUBECONFIG, env), asked: true };
  return env.HOME ? { paths: [join(env.HOME, '.kube', 'config')], asked: false } : undefined;
}

const READ_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a directory; name the file in it',
  ENOTDIR: 'does not exist: a part of its path is a file',
};

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new ConnectionError(`kubeconfig ${path} ${READ_FAULTS[code] ?? `cannot be read (${code})`}`, 'config_path', { cause: error });
  }
}

// The parser's own message quotes the line at fault, which may hold a token: only the line number is told.
async function parse(path: string, text: string): Promise<unknown> {
  const { parseDocument } = await import('yaml');
  const parsed = parseDocument(text, { prettyErrors: false });
  const [fault] = parsed.errors;
  if (fault === undefined) return parsed.toJS();
  throw new ConnectionError(`kubeconfig ${path} is not YAML: see line ${text.slice(0, fault.pos[0]).split('\n').length}`, 'config_path');
}

const isMapping = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

// client-node reads a token file once, and by a key that kubectl does not write; its file authenticator reads it every minute.
function withTokenFile(entry: unknown, directory: string): unknown {
  if (!isMapping(entry) || !isMapping(entry.user) || typeof entry.user.tokenFile !== 'string') return entry;
  const { tokenFile, ...user } = entry.user as { tokenFile: string };
  const path = isAbsolute(tokenFile) ? tokenFile : join(directory, tokenFile);
  return { ...entry, user: { ...user, 'auth-provider': { name: 'tokenFile', config: { tokenFile: path } } } };
}

/** Reads one kubeconfig. Throws ConnectionError naming the file when it is missing, unreadable or no kubeconfig. */
export function readKubeconfig(path: string): Promise<KubeconfigFile> {
  return readKubeconfigText(path, readText(path));
}

/** The same of a text; `path` says where it is from. */
export async function readKubeconfigText(path: string, text: string): Promise<KubeconfigFile> {
  const document = await parse(path, text);
  if (!isMapping(document) || (document.kind !== 'Config' && !Array.isArray(document.clusters))) {
    throw new ConnectionError(`${path} is not a kubeconfig: it needs lists named clusters, contexts and users`, 'config_path');
  }
  const users = Array.isArray(document.users) ? document.users.map((user) => withTokenFile(user, dirname(path))) : [];
  return { path, document: { ...document, users } };
}
