import { packagePath } from '../../devplane/package-files';
import { type Engine, tryFindTofu } from '../../cli/terraform/engine';
import type * as Toolchain from '../../toolchain/opentofu/build.cjs';
import type { Tool } from './plane-suite';

const WHY = 'OpenTofu is neither on PATH nor built: run `node toolchain/opentofu/build.cjs`, which needs Go';

/** OpenTofu as it was built for the tests, of the version that they were written with; else the one on PATH. Builds nothing. */
export function builtTofu(): Tool<Engine> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- plain JavaScript: it runs before anything is compiled
  const toolchain = require(packagePath('toolchain', 'opentofu', 'build.cjs')) as typeof Toolchain;
  return { tool: tryFindTofu(toolchain.tryFindTofu()), why: WHY };
}
