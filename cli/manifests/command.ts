import type { Command } from 'commander';
import type { ManifestArguments } from './options';

const collect = (name: string, before: readonly string[] = []): string[] => [...before, name];

/** `macrack manifests` and `macrack manifests webhook-ca` */
export function addManifestsCommand(program: Command): void {
  const command = program.command('manifests')
    .description('print what MacRack installs in a cluster, and write the files of its control-plane hosts')
    .option('--tamper-proof', 'the rules as files on the control-plane hosts, which no cluster administrator can remove: Kubernetes 1.37 (default)')
    .option('--api', 'the rules as objects of the API, which a cluster administrator can remove: Kubernetes 1.35 and 1.36, managed clusters')
    .option('--kubernetes <version>', '1.35, 1.36 or 1.37 (default: 1.37)')
    .option('--part <part>', 'namespace, crds, rbac, classes, clock-policy, admission, policies, mutating-policies, webhooks or operator; may be repeated (default: all)', collect)
    .option('--out <dir>', 'where the files of the control-plane hosts are written; without it none are')
    .option('--admission-dir <dir>', 'where the API server finds these files', '/etc/kubernetes/macrack')
    .option('--webhook-ca <file>', "certificate of the webhooks' CA in PEM; two in one file while a new one takes over")
    .option('--webhook-url <url>', "where API servers reach the operator's webhooks, https://<host>:<port>")
    .option('--image <image>', 'image of the operator (default: macrack:0.1.0, for clusters that have it already)')
    .option('--tenant <namespace>', 'print the objects of a tenant: namespace, quota and role bindings')
    .option('--leases <n>', 'with --tenant: the most leases that it may have at once (default: 2)')
    .action(async (options: ManifestArguments) => {
      const { manifests } = await import('./manifests.js');
      manifests(options);
    });
  command.command('webhook-ca')
    .description("make the CA of the operator's webhooks: ca.crt, ca.key, and secret.yaml for the cluster")
    .requiredOption('--out <dir>', 'where the three files go; none may be there')
    .action(async (options: { out: string }) => {
      const { webhookCa } = await import('./webhook-ca.js');
      await webhookCa(options);
    });
}
