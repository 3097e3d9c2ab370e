import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installForDevelopment } from '../../provider/terraform/install/development-install';

/** Hosts that the engines look for a provider without a host under. */
const HOSTS = ['registry.terraform.io', 'registry.opentofu.org'];

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', ia32: '386' };

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}_${ARCHITECTURES[process.arch] ?? process.arch}`;

/**
 * The provider in a filesystem mirror, the only place that the CLI configuration knows: an engine that asks any network for it fails.
 * @param main the program of the provider
 * @returns the CLI configuration file
 */
export function mirrorProvider(directory: string, version: string, main: string): string {
  installForDevelopment(directory, { main });
  const mirror = join(directory, 'mirror');
  for (const host of HOSTS) {
    const file = join(mirror, host, 'macrack', 'macrack', version, platform, `terraform-provider-macrack_v${version}`);
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(join(directory, 'terraform-provider-macrack'), file);
    chmodSync(file, 0o755);
  }
  const configFile = join(directory, 'mirror.rc');
  writeFileSync(configFile, `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`);
  return configFile;
}
