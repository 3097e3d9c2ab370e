import { packagePath } from '../../devplane/package-files';
import type * as Toolchain from '../../toolchain/pulumi/engine.cjs';

/** The pulumi command, and the folders that come first on its PATH. */
export type Engine = Toolchain.PulumiEngine;

function toolchain(): typeof Toolchain {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- its path differs between sources and compiled files
  return require(packagePath('toolchain', 'pulumi', 'engine.cjs')) as typeof Toolchain;
}

/** The engine on PATH or the one that was built, or the sentence that says why there is none. Builds nothing. */
export function lookForEngine(): ReturnType<typeof Toolchain.lookForEngine> {
  return toolchain().lookForEngine();
}

/** Like `lookForEngine`. @throws Error with what to install */
export function findEngine(): Engine {
  const { engine, why } = lookForEngine();
  if (engine === undefined) throw new Error(why);
  return engine;
}

/** Like `findEngine`, built from Go modules where there is none: minutes the first time. @throws Error with one sentence */
export function obtainEngine(): Engine {
  return toolchain().buildEngine();
}
