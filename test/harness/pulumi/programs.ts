import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Engine, lookForEngine } from '../../../cli/pulumi/engine';
import { installPrograms } from '../../../cli/pulumi/install';
import { Workspace } from '../../../cli/pulumi/workspace';
import { describeOpened, type Tool } from '../plane-suite';

/** A directory under which programs find their packages, and the engine that runs them. */
export interface Programs {
  readonly engine: Engine;
  readonly directory: string;
  /** @param name path below the suite's programs; its last part names the Pulumi project */
  readonly workspace: (name: string, config?: Readonly<Record<string, string>>) => Workspace;
}

export function pulumiTool(): Tool<Engine> {
  const { engine, why } = lookForEngine();
  return { tool: engine, why };
}

/** Programs below `directory`. @param install puts the packages there */
export function programs(engine: Engine, directory: string, install: (directory: string) => void): Programs {
  install(directory);
  return {
    engine, directory,
    workspace: (name, config = {}) => new Workspace({ engine, dir: join(directory, 'programs', name), project: basename(name), home: join(directory, 'home'), config }),
  };
}

function opened(engine: Engine): Programs & { close(): Promise<void> } {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-programs-'));
  return { ...programs(engine, directory, installPrograms), close: () => Promise.resolve(rmSync(directory, { recursive: true, force: true })) };
}

/** A suite that drives the real pulumi with programs that need neither a plane nor macrack. Skipped, visibly, where there is no pulumi. */
export function describePulumiPrograms(name: string, tests: (suite: () => Programs) => void): void {
  describeOpened(name, pulumiTool(), (engine) => Promise.resolve(opened(engine)), tests);
}
