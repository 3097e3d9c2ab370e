import { tryFindPlane, type PlaneBinaries } from '../../../toolchain/kubernetes/build.cjs';

const HOW = 'run `node toolchain/kubernetes/build.cjs`, which needs Go';

/** The binaries of the real plane. @throws Error that says how to get them */
export function findBinaries(): PlaneBinaries {
  const found = tryFindPlane();
  if (found === undefined) throw new Error(`the binaries of the real control plane are not built: ${HOW}`);
  return found;
}

/**
 * A suite on the real plane. Without its binaries it is a visible skip; with CI=true a failure of its first hook, which asks for them.
 */
export function describeRealPlane(name: string, tests: () => void): void {
  if (tryFindPlane() === undefined && process.env.CI !== 'true') describe.skip(`${name} (skipped: the real control plane is not built: ${HOW})`, tests);
  else describe(name, tests);
}
