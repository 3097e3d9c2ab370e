import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type SimulatedMac, startDevelopmentPlane, type Development } from '../devplane/development-plane';
import { installForDevelopment } from '../provider/terraform/install/development-install';
import { CLASSES, type ClassName } from '../sdk/api/phases';
import { planeLog } from './plane-log';

export interface DevOptions {
  /** Number of simulated Macs. */
  readonly macs: number;
  readonly class: ClassName;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where kubeconfigs, the audit record and the provider launcher go. */
  readonly dir: string;
}

const MOST_MACS = 500;

/** Reads a whole number from the command line. Throws RangeError that names the option. */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && value <= most)) throw new RangeError(`${option} takes a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`);
  return value;
}

export const macCount = (text: string): number => wholeNumber('--macs', text, 1, MOST_MACS);
export const portNumber = (text: string): number => wholeNumber('--port', text, 0, 65_535);

/** Reads a class from the command line. Throws RangeError. */
export function className(text: string): ClassName {
  const found = CLASSES.find((c) => c === text);
  if (found === undefined) throw new RangeError(`--class takes ${CLASSES.join(', ')}, not ${JSON.stringify(text)}`);
  return found;
}

function macs({ macs: count, class: name }: DevOptions): SimulatedMac[] {
  return Array.from({ length: count }, (_, i) => ({ serial: `sim${String(i + 1).padStart(4, '0')}`, class: name }));
}

function nextSteps({ plane, kubeconfigs }: Development, files: { terraformrc: string; log: string }, options: DevOptions): string {
  const configs = Object.entries(kubeconfigs).map(([user, path]) => `  ${user.padEnd(18)} ${path}`);
  return [
    `Development plane at ${plane.url} with ${options.macs} simulated Mac(s) of class ${options.class}.`, '',
    'Kubeconfigs:', ...configs, '',
    'Next, in another terminal:',
    `  export TF_CLI_CONFIG_FILE=${files.terraformrc}`,
    `  kubectl --kubeconfig ${kubeconfigs['tenant-a'] ?? ''} get macclasses`,
    `  # in main.tf: provider "macrack" { config_path = ${JSON.stringify(kubeconfigs['tenant-a'] ?? '')} }`,
    '  terraform plan', '',
    'The clock can be moved: curl with the token of macrack-admin, POST /macrack.dev/clock {"advance": "24h"}.',
    `Logs of operator and agents: ${files.log}`,
    'Ctrl-C ends it; nothing is kept but the files above.', '',
  ].join('\n');
}

/** Runs a development plane until the process is interrupted. Resolves to the exit status. */
export async function dev(options: DevOptions): Promise<number> {
  const directory = resolve(options.dir);
  mkdirSync(directory, { recursive: true });
  const { logger, file } = planeLog(directory);
  const development = await startDevelopmentPlane({ directory, port: options.port, macs: macs(options), logger });
  const { configFile } = installForDevelopment(join(directory, 'provider'));
  process.stdout.write(nextSteps(development, { terraformrc: configFile, log: file }, options));
  await new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
  await development.stop();
  return 0;
}
