import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { providerProgram } from './program';

export interface InstallOptions {
  /** The Node that the launcher runs. Default: the one that runs this. */
  readonly node?: string;
  /** Arguments before the program, for a program that needs a loader. Default none. */
  readonly nodeArguments?: readonly string[];
  /** The program. Default: the provider of this package. */
  readonly main?: string;
}

export interface Installed {
  /** CLI configuration for terraform and for tofu alike. */
  readonly configFile: string;
  /** What the two read it by. With it no `init` is needed, and they say that an override is in effect. */
  readonly environment: { readonly TF_CLI_CONFIG_FILE: string };
}

/** As a user writes it in `required_providers`; each engine adds the host of its own registry. */
export const SOURCE = 'macrack/macrack';

/**
 * Makes the provider usable from `directory` without a registry. The launcher replaces itself by Node: a wrapper that
 * starts a child would leave it behind when Terraform kills the provider.
 */
export function installForDevelopment(directory: string, options: InstallOptions = {}): Installed {
  const home = resolve(directory);
  const configFile = join(home, 'terraform.rc');
  const launcher = join(home, 'terraform-provider-macrack');
  const program = [options.node ?? process.execPath, ...(options.nodeArguments ?? []), options.main ?? providerProgram(join(__dirname, '..', '..', '..'))];
  mkdirSync(home, { recursive: true });
  writeFileSync(launcher, `#!/bin/sh\nexec ${program.map(quoteForShell).join(' ')}\n`);
  chmodSync(launcher, 0o755);
  writeFileSync(configFile, cliConfig(home));
  return { configFile, environment: { TF_CLI_CONFIG_FILE: configFile } };
}

function cliConfig(directory: string): string {
  return `provider_installation {\n  dev_overrides {\n    ${quoteForHcl(SOURCE)} = ${quoteForHcl(directory)}\n  }\n  direct {}\n}\n`;
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The file is HCL 1, which knows the escapes of JSON; a dollar starts nothing there unless a brace follows. */
function quoteForHcl(text: string): string {
  return JSON.stringify(text);
}
