import type { Finding } from '../core/finding';

const camel = (name: string): string => name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Arguments of the client, as the stack configuration calls them. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  config_path: 'macrack:kubeconfig', config_context: 'macrack:context', host: 'macrack:host', token: 'macrack:token',
  cluster_ca_certificate: 'macrack:clusterCaCertificate', client_certificate: 'macrack:clientCertificate', client_key: 'macrack:clientKey',
};

/** What one does with a plan is an update here. */
const UPDATES: readonly (readonly [RegExp, string])[] = [
  [/\bthe (next )?apply\b/g, 'the $1update'], [/\bApply waits\b/g, 'The update waits'], [/\bApply again\b/g, 'Update again'], [/\bapply again\b/g, 'update again'],
  [/\bfirst apply\b/g, 'first store'], [/\bit counts from what is applied\b/g, 'it counts from what an update has stored'],
];

/** A text of the core or of the control plane, with inputs written as a program writes them: `on_early_release = "hold"` is `onEarlyRelease: "hold"`. */
export function inPulumi(text: string): string {
  const updating = UPDATES.reduce((said, [pattern, words]) => said.replaceAll(pattern, words), text);
  return updating.replaceAll(/\b([a-z]+(?:_[a-z]+)*) = ("[^"]*"|true|false)/g, (_match, name: string, value: string) => `${camel(name)}: ${value}`)
    .replaceAll(/\bthe configuration\b/g, 'the program').replaceAll(/\bthis configuration\b/g, 'this program');
}

/** A text of the client, with its arguments called as in the stack configuration. */
export function inStackConfig(text: string): string {
  return text.replaceAll(/\b(config_path|config_context|cluster_ca_certificate|client_certificate|client_key)\b/g, (name) => ARGUMENTS[name] ?? name).replaceAll(/\bnor host\b/g, 'nor macrack:host');
}

/** A finding in one paragraph; it begins with its reason. */
export function sentenceOf({ reason, title, detail }: Finding): string {
  return inPulumi(`${reason}: ${title}. ${detail}`);
}
