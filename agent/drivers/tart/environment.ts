/** Credentials of a registry, as tart reads them. Only the command that pulls gets them, and no text that leaves the driver shows them. */
const CREDENTIALS = ['TART_REGISTRY_USERNAME', 'TART_REGISTRY_PASSWORD'];
const PLAIN = ['HOME', 'USER', 'LOGNAME', 'PATH', 'TMPDIR', 'LANG', 'TART_HOME', 'TART_NO_AUTO_PRUNE'];
const PULL = [...PLAIN, ...CREDENTIALS, 'TART_REGISTRY_HOSTNAME', 'DOCKER_CONFIG'];

type Environment = Readonly<Record<string, string>>;

function pick(from: NodeJS.ProcessEnv, names: readonly string[]): Environment {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/** What each command may see: a machine that runs for months carries no credentials in its environment. */
export const environmentOf = (from: NodeJS.ProcessEnv) => ({ plain: pick(from, PLAIN), pull: pick(from, PULL) });

const MOST_WORDS = 400;
const ESCAPES = /\u001b\[[0-9;]*[A-Za-z]/g;
const SECRETS: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic)\s+\S+/gi, '$1 (withheld)'],
  [/:\/\/[^/\s@]+@/g, '://(withheld)@'],
  [/\b(password|token|secret)(["']?\s*[=:]\s*)\S+/gi, '$1$2(withheld)'],
];

/** The end of what a program has said, in one line, without secrets. @param from the environment of the agent */
export function words(said: string, from: NodeJS.ProcessEnv): string {
  const known = CREDENTIALS.flatMap((name) => from[name] ?? []).filter((value) => value !== '');
  const masked = known.reduce((text, value) => text.replaceAll(value, '(withheld)'), said.replace(ESCAPES, ''));
  const safe = SECRETS.reduce((text, [pattern, instead]) => text.replace(pattern, instead), masked);
  const line = safe.split('\n').map((part) => part.trim()).filter((part) => part !== '').join('; ');
  return line.length <= MOST_WORDS ? line : `… ${line.slice(-MOST_WORDS)}`;
}
