import { Config } from '@pulumi/pulumi';
import * as runtimeConfig from '@pulumi/pulumi/runtime/config';
import { CONFIG_NAMESPACE, isKubeconfigText, type ConfigKey, type ReadConfig } from '../config';
import { programError } from './program-error';

/** Reads the stack configuration of the program that runs. */
export const readStackConfig: ReadConfig = (key) => new Config(CONFIG_NAMESPACE).get(key);

function isCredential(key: ConfigKey, value: string): boolean {
  return key === 'token' || key === 'clientKey' || (key === 'kubeconfig' && isKubeconfigText(value));
}

// Internal to the package: a version without it leaves the question open.
const { isConfigSecret = () => true } = runtimeConfig as { readonly isConfigSecret?: (key: string) => boolean };

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
