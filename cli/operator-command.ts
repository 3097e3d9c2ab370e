import { Option, type Command } from 'commander';
import { listenAddress, logLevel, namespaceName, ownIdentity, type OperatorOptions } from './operator-options';

type Parsed = <T>(parse: (text: string) => T) => (text: string) => T;

const collect = (name: string, before: readonly string[] = []): string[] => [...before, name];

/** `macrack operator` */
export function addOperatorCommand(program: Command, option: Parsed): void {
  program.command('operator')
    .description('run one replica of the operator: webhooks always, reconcilers while it leads')
    .requiredOption('--kubeconfig <file>', "kubeconfig with the operator's client certificate (CN=macrack-operator, O=macrack:operators)")
    .requiredOption('--audit-file <file>', 'SQLite file of the audit record; replicas on one host share it')
    .addOption(new Option('--webhook-listen <host:port>', 'where the admission webhooks listen (HTTPS)').argParser(option(listenAddress)).default({ host: '127.0.0.1', port: 9443 }, '127.0.0.1:9443'))
    .option('--webhook-name <name>', 'another DNS name or address by which API servers call the webhooks; may be repeated', collect)
    .option('--webhook-ca-dir <dir>', "directory with ca.crt and ca.key of the webhooks' CA (default: Secret macrack-webhook-ca, made by the first replica)")
    .addOption(new Option('--metrics-listen <host:port>', 'where /healthz, /readyz and /metrics listen (plain HTTP)').argParser(option(listenAddress)).default({ host: '127.0.0.1', port: 9090 }, '127.0.0.1:9090'))
    .option('--namespace <namespace>', 'where the leader lease, the Secret and the events are', option(namespaceName), 'macrack-system')
    .option('--identity <name>', 'name of this replica in the leader lease (default: host name and a random number)')
    .option('--log-level <level>', 'debug, info, warn or error; JSON lines on standard error', option(logLevel), 'info')
    .action(async (options: OperatorOptions) => {
      const { operator } = await import('./operator.js');
      process.exitCode = await operator({ ...options, identity: options.identity ?? ownIdentity() });
    });
}
