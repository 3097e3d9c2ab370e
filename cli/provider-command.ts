import type { Command } from 'commander';
import { resolve } from 'node:path';

/** `macrack provider` */
export function addProviderCommand(program: Command): void {
  program.command('provider')
    .description('make the provider of this package usable by terraform and tofu without a registry: a launcher and a CLI configuration; no plane is started')
    .argument('<dir>', 'where the two files go; made where it is missing')
    .action(async (directory: string) => {
      const { installForDevelopment } = await import('../provider/terraform/install/development-install.js');
      const { configFile } = installForDevelopment(resolve(directory));
      process.stdout.write(`export TF_CLI_CONFIG_FILE='${configFile.replaceAll("'", `'\\''`)}'\n`);
    });
}
