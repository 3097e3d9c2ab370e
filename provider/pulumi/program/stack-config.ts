import { Config, getProject } from '@pulumi/pulumi';
import * as runtimeConfig from '@pulumi/pulumi/runtime/config';
import { CONFIG_KEYS, CONFIG_NAMESPACE, isKubeconfigText, type ConfigKey, type ReadConfig } from '../config';
import { programError } from './program-error';

/** Reads the stack configuration of the program that runs. */
export const readStackConfig: ReadConfig = (key) => new Config(CONFIG_NAMESPACE).get(key);

function isCredential(key: ConfigKey, value: string): boolean {
  return key === 'token' || key === 'clientKey' || (key === 'kubeconfig' && isKubeconfigText(value));
}

// Internal to the package: a version without it leaves the question open.
const { isConfigSecret = () => true } = runtimeConfig as { readonly isConfigSecret?: (key: string) => boolean };

/** Refuses keys that mean nothing: a mistyped one would lead to another control plane. A project of the same name has keys of its own. */
export function checkKeys(): void {
  if (getProject() === CONFIG_NAMESPACE) return;
  const known = CONFIG_KEYS.map((key) => `${CONFIG_NAMESPACE}:${key}`);
  const unknown = Object.keys(runtimeConfig.allConfig()).find((key) => key.startsWith(`${CONFIG_NAMESPACE}:`) && !known.includes(key));
  if (unknown !== undefined) throw programError(`InvalidValue: the stack's configuration has ${unknown}, and there is no such key. Remove it, or use one of: ${known.join(', ')}.`);
}

/** Refuses credentials that the stack's files and its state would keep in clear. */
export function checkSecrets(): void {
  for (const key of ['kubeconfig', 'token', 'clientKey'] as const) {
    const value = readStackConfig(key);
    const name = `${CONFIG_NAMESPACE}:${key}`;
    if (value === undefined || !isCredential(key, value) || isConfigSecret(name)) continue;
    const or = key === 'kubeconfig' ? ', or name a file instead' : '';
    throw programError(`InvalidValue: ${name} is a credential and is not secret: the stack's configuration and its state would hold it in clear. Set it again with \`pulumi config set --secret ${name}\`${or}.`);
  }
}
