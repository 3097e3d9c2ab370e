import { spawnSync } from 'node:child_process';

/** The command line tool that reads HCL: Terraform or OpenTofu. */
export interface Engine {
  readonly name: 'terraform' | 'tofu';
  /** What is started: the name, found on PATH, or a path. */
  readonly command: string;
  readonly version: string;
}

function ask(name: Engine['name'], command: string): Engine | undefined {
  const asked = spawnSync(command, ['version', '-json'], { encoding: 'utf8' });
  if (asked.status !== 0) return undefined;
  // Warnings about the user's CLI configuration come first, on the same stream.
  const { terraform_version: version } = JSON.parse(asked.stdout.slice(asked.stdout.search(/^\{/m))) as { terraform_version: string };
  return { name, command, version };
}

/** OpenTofu at `command`, or on PATH; undefined where there is none. */
export function tryFindTofu(command = 'tofu'): Engine | undefined {
  return ask('tofu', command);
}

/** The first of terraform and tofu on PATH; undefined without either. */
export function tryFindEngine(): Engine | undefined {
  return ask('terraform', 'terraform') ?? tryFindTofu();
}

/** Like `tryFindEngine`. Throws with what to install. */
export function findEngine(): Engine {
  const engine = tryFindEngine();
  if (engine === undefined) throw new Error('Neither terraform nor tofu is on PATH: install Terraform 1.5 or newer (or OpenTofu 1.6 or newer) and run this again.');
  return engine;
}
