import type { Command } from 'commander';
import type { CredentialOptions } from './operator-credential';
import { wholeNumber } from '../dev-options';
import { serverUrl } from '../server-url';

type Parsed = <T>(parse: (text: string) => T) => (text: string) => T;

const DAYS = 365;
const MOST_DAYS = 3650;

/** `macrack operator-credential` */
export function addCredentialCommand(program: Command, option: Parsed): void {
  program.command('operator-credential')
    .description("have the cluster sign the operator's client certificate, with an administrator's rights: kubeconfig, and secret.yaml for the cluster")
    .requiredOption('--out <dir>', 'where the two files go; none may be there')
    .option('--days <n>', 'days that the certificate is valid; the cluster may sign for fewer', option((text) => wholeNumber('--days', text, 1, MOST_DAYS)), DAYS)
    .option('--kubeconfig <file>', "the administrator's kubeconfig (default: as kubectl finds it)")
    .option('--context <name>', 'context of that kubeconfig (default: its current one)')
    .option('--server <url>', "URL of the API server for the operator (default: the administrator's)", option(serverUrl))
    .action(async (options: CredentialOptions) => {
      const { operatorCredential } = await import('./operator-credential.js');
      await operatorCredential(options);
    });
}
