import { spawnSync } from 'node:child_process';

/** The command line tool that reads HCL: Terraform or OpenTofu. */
export interface Engine {
  readonly command: 'terraform' | 'tofu';
  readonly version: string;
}

function ask(command: Engine['command']): Engine | undefined {
  const asked = spawnSync(command, ['version', '-json'], { encoding: 'utf8' });
  if (asked.status !== 0) return undefined;
  const { terraform_version: version } = JSON.parse(asked.stdout) as { terraform_version: string };
  return { command, version };
}

/** The first of terraform and tofu on PATH; undefined without either. */
export function tryFindEngine(): Engine | undefined {
  return ask('terraform') ?? ask('tofu');
}

/** Like `tryFindEngine`. Throws with what to install. */
export function findEngine(): Engine {
  const engine = tryFindEngine();
  if (engine === undefined) throw new Error('Neither terraform nor tofu is on PATH: install Terraform 1.5 or newer (or OpenTofu 1.6 or newer) and run this again.');
  return engine;
}
