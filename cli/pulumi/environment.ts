import { dirname, delimiter } from 'node:path';
import type { Engine } from './engine';

export interface EnvironmentOptions {
  readonly engine: Engine;
  /** Directory of the file backend. */
  readonly backend: string;
  /** Plugins and credentials of the command; may be shared by projects. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
}

// The user's own backend, token and options are not for these runs, nor is a kubeconfig that the stack does not name.
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'KUBECONFIG' && !name.startsWith('PULUMI_')));
}

/** What a run knows: a file backend, no network, its own parts first on PATH. */
export function environment({ engine, backend, home, env }: EnvironmentOptions): NodeJS.ProcessEnv {
  return {
    ...inherited(),
    PATH: [...engine.path, dirname(engine.command), process.env.PATH ?? ''].join(delimiter),
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_HOME: home,
    PULUMI_CONFIG_PASSPHRASE: 'of a stack that holds no secret of worth',
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: 'true',
    // Without it the command has no --event-log.
    PULUMI_DEBUG_COMMANDS: 'true',
    ...env,
  };
}
