import { planeToolchain } from '../../realplane/binaries';

const HOW = 'run `node toolchain/kubernetes/build.cjs`, which needs Go';

/**
 * A suite on the real plane. Without its binaries it is a visible skip; with CI=true a failure of its first hook, which asks for them.
 */
export function describeRealPlane(name: string, tests: () => void): void {
  if (planeToolchain().tryFindPlane() === undefined && process.env.CI !== 'true') describe.skip(`${name} (skipped: the real control plane is not built: ${HOW})`, tests);
  else describe(name, tests);
}
