export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that stand in for arguments, called as for the Kubernetes provider. */
export const VARIABLES = {
  config_path: 'KUBE_CONFIG_PATH',
  config_paths: 'KUBE_CONFIG_PATHS',
  config_context: 'KUBE_CTX',
  host: 'KUBE_HOST',
  token: 'KUBE_TOKEN',
  cluster_ca_certificate: 'KUBE_CLUSTER_CA_CERT_DATA',
  client_certificate: 'KUBE_CLIENT_CERT_DATA',
  client_key: 'KUBE_CLIENT_KEY_DATA',
} as const;

type Named = keyof typeof VARIABLES;

/** Arguments that answer the same question: one that is written keeps the variables of all of them out. */
const QUESTIONS: readonly (readonly (Named | 'exec')[])[] = [
  ['config_path', 'config_paths'],
  ['config_context'],
  ['host'],
  ['token', 'client_certificate', 'client_key', 'exec'],
  ['cluster_ca_certificate'],
];

/** `KUBE_CONFIG_PATHS` is a list as `PATH` is one. */
function read(name: Named, text: string, delimiter: string): string | readonly string[] {
  return name === 'config_paths' ? text.split(delimiter).filter((path) => path !== '') : text;
}

/** The configuration, with variables where it leaves a question open. An empty variable is none. */
export function withEnvironment<Row extends Readonly<Record<Named | 'exec', unknown>>>(config: Row, env: Environment, delimiter: string): Row {
  const open = QUESTIONS.filter((names) => names.every((name) => config[name] === null)).flat();
  const given = open.flatMap((name) => {
    const text = name in VARIABLES ? env[VARIABLES[name as Named]] : undefined;
    return text === undefined || text === '' ? [] : [[name, read(name as Named, text, delimiter)] as const];
  });
  return { ...config, ...Object.fromEntries(given) };
}
