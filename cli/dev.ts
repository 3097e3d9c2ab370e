import { join, resolve } from 'node:path';
import { startDevelopmentPlane, type Development } from '../devplane/development-plane';
import { installForDevelopment } from '../provider/terraform/install/development-install';
import { header } from './demo/configurations';
import { claimDirectory } from './dev-claim';
import type { DevOptions } from './dev-options';
import { planeLog } from './plane-log';
import { simulatedMacs } from './simulated-macs';

function nextSteps({ plane, kubeconfigs }: Development, files: { terraformrc: string; log: string }, options: DevOptions): string {
  const configs = Object.entries(kubeconfigs).map(([user, path]) => `  ${user.padEnd(18)} ${path}`);
  return [
    `Development plane at ${plane.url} with ${options.macs} simulated Mac(s) of class ${options.class}.`, '',
    'Kubeconfigs:', ...configs, '',
    'Next, in another terminal:',
    `  export TF_CLI_CONFIG_FILE=${files.terraformrc}`,
    `  kubectl --kubeconfig ${kubeconfigs['tenant-a'] ?? ''} get macclasses`,
    '  # main.tf begins with:', ...header(kubeconfigs['tenant-a'] ?? '').trimEnd().split('\n').map((line) => `  ${line}`),
    '  terraform plan', '',
    'Or with pulumi, whose program imports macrack/pulumi:',
    `  export KUBECONFIG=${kubeconfigs['tenant-a'] ?? ''}`,
    '  pulumi preview', '',
    'The clock can be moved, forward only:',
    `  echo '{"advance": "25h"}' | kubectl --kubeconfig ${kubeconfigs['macrack-admin'] ?? ''} create --raw /macrack.dev/clock -f -`, '',
    `Logs of operator and agents: ${files.log}`,
    options.dataDir === undefined ? 'Ctrl-C ends it; nothing is kept but the files above.' : `Ctrl-C ends it; the next start with --data-dir ${options.dataDir} goes on from there.`, '',
  ].join('\n');
}

/** Runs a development plane until the process is interrupted. Resolves to the exit status. */
export async function dev(options: DevOptions): Promise<number> {
  const directory = resolve(options.dataDir ?? options.dir);
  // A directory that is kept has a lock of its own, in its store.
  const release = options.dataDir === undefined ? claimDirectory(directory) : () => undefined;
  try {
    await run(directory, options);
  } finally {
    release();
  }
  return 0;
}

async function run(directory: string, options: DevOptions): Promise<void> {
  const { logger, file } = planeLog(directory);
  const development = await startDevelopmentPlane({ directory, isKept: options.dataDir !== undefined, port: options.port, macs: simulatedMacs(options), logger });
  try {
    const { configFile } = installForDevelopment(join(directory, 'provider'));
    process.stdout.write(nextSteps(development, { terraformrc: configFile, log: file }, options));
    await new Promise<void>((done) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
    });
  } finally {
    await development.stop();
  }
}
