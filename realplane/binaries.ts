import { packagePath } from '../devplane/package-files';
import type * as Toolchain from '../toolchain/kubernetes/build.cjs';

export type PlaneBinaries = Toolchain.PlaneBinaries;

const HOW = 'run `node toolchain/kubernetes/build.cjs`, which needs Go, or name a directory that has them in MACRACK_KUBERNETES_BIN';

/** What `toolchain/kubernetes/build.cjs` exports: plain JavaScript, since it runs before anything is compiled. */
export function planeToolchain(): typeof Toolchain {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- its path differs between sources and compiled files
  return require(packagePath('toolchain', 'kubernetes', 'build.cjs')) as typeof Toolchain;
}

/** The binaries of the real plane. @throws Error that says how to get them */
export function findBinaries(): PlaneBinaries {
  const found = planeToolchain().tryFindPlane();
  if (found === undefined) throw new Error(`the binaries of the real control plane are not built: ${HOW}`);
  return found;
}
