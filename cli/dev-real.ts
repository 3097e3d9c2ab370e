import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installForDevelopment } from '../provider/terraform/install/development-install';
import { planeToolchain } from '../realplane/binaries';
import { type RealDevelopment, startRealDevelopment } from '../realplane/real-development';
import { header } from './demo/configurations';
import { claimDirectory } from './dev-claim';
import type { DevOptions } from './dev-options';
import { interruption } from './interruption';
import { planeLog } from './plane-log';
import { simulatedMacs } from './simulated-macs';

export interface DevRealOptions extends Pick<DevOptions, 'macs' | 'class' | 'dir'> {
  /** Directory with etcd, kube-apiserver, kube-scheduler, kube-controller-manager and kubectl. Default: those in the cache, built where absent. */
  readonly kubernetesBin?: string;
}

/** @throws Error with one sentence where the plane can neither be found nor built */
function provideBinaries(directory: string | undefined): void {
  const { BuildFault, buildPlane } = planeToolchain();
  if (directory !== undefined) process.env.MACRACK_KUBERNETES_BIN = resolve(directory);
  try {
    buildPlane();
  } catch (error) {
    if (!(error instanceof BuildFault)) throw error;
    const why = error.message.replace('MACRACK_KUBERNETES_BIN names ', '').replace(', which lacks ', ' lacks ');
    throw new Error(`dev --real: the real control plane is not here and cannot be built: ${why}. Install Go, or name a directory with its binaries: --kubernetes-bin`, { cause: error });
  }
}

// The plane keeps its own in a directory that ends with it.
function keepKubeconfigs(kubeconfigs: Readonly<Record<string, string>>, directory: string): Record<string, string> {
  return Object.fromEntries(Object.entries(kubeconfigs).map(([user, path]) => {
    const kept = join(directory, `${user === 'macrack-admin' ? 'admin' : user}.kubeconfig`);
    copyFileSync(path, kept);
    return [user, kept];
  }));
}

function nextSteps({ plane }: RealDevelopment, kubeconfigs: Readonly<Record<string, string>>, files: { terraformrc: string; log: string }, options: DevRealOptions): string {
  const tenant = kubeconfigs['tenant-a'] ?? '';
  return [
    `Kubernetes at ${plane.url} with ${options.macs} simulated Mac(s) of class ${options.class}.`, '',
    'Kubeconfigs:', ...Object.entries(kubeconfigs).map(([user, path]) => `  ${user.padEnd(18)} ${path}`), '',
    'Next, in another terminal:',
    `  export TF_CLI_CONFIG_FILE=${files.terraformrc}`,
    `  ${plane.kubectl} --kubeconfig ${tenant} get macclasses`,
    '  # main.tf begins with:', ...header(tenant).trimEnd().split('\n').map((line) => `  ${line}`),
    '  terraform plan', '',
    'Or with pulumi, whose program imports macrack/pulumi:',
    `  export KUBECONFIG=${tenant}`,
    '  pulumi preview', '',
    'What differs from the development plane:',
    '  - This is Kubernetes itself: every verb of kubectl works; use the one above, which is of the same release.',
    '  - The admission policies are files of the API server: they hold, and nobody can change them through the API, not even an administrator.',
    '  - There is no clock to move: a lease that is Bound stays so for its 24 hours.',
    '  - Only the Macs are simulated: no machine here is one that the licence is about.', '',
    `Logs of operator and agents: ${files.log}`,
    `Logs of the servers, while they run: ${join(plane.directory, 'logs')}`,
    'Ctrl-C ends it, with every server; nothing is kept but the files in the directory of the kubeconfigs.', '',
  ].join('\n');
}

/** Runs the real control plane with simulated Macs until the process is interrupted. Resolves to the exit status. */
export async function devReal(options: DevRealOptions): Promise<number> {
  provideBinaries(options.kubernetesBin);
  const directory = resolve(options.dir);
  const release = claimDirectory(directory);
  try {
    await run(directory, options);
  } finally {
    release();
  }
  return 0;
}

async function run(directory: string, options: DevRealOptions): Promise<void> {
  const { logger, file } = planeLog(directory);
  const { asked, isAsked } = interruption();
  process.stderr.write('macrack: the control plane starts (seconds)\n');
  const development = await startRealDevelopment({ macs: simulatedMacs(options), auditFile: join(directory, 'audit.sqlite'), logger });
  try {
    if (!isAsked()) {
      const { configFile } = installForDevelopment(join(directory, 'provider'));
      const kubeconfigs = keepKubeconfigs(development.kubeconfigs, directory);
      process.stdout.write(nextSteps(development, kubeconfigs, { terraformrc: configFile, log: file }, options));
    }
    await asked;
  } finally {
    process.stderr.write('macrack: the control plane ends (seconds)\n');
    await development.stop();
  }
}
