import type { RealDevelopment } from '../../realplane/real-development';
import { describePulumiLayer, type Moments } from '../conformance/pulumi-layer';
import { PINNED } from '../conformance/staging';
import { HOUR_MS, type Row } from '../conformance/verdicts';
import { ageEverything } from '../harness/ageing';
import { macs, type World } from '../harness/plane-suite';
import { describePulumiOnRealPlane } from '../harness/pulumi/pulumi-suite';

/** What has an age adds to it: no row comes before one that is earlier. */
function moments(): Moments<World> {
  let ageMs = 0;
  return {
    async moveTo({ suite: { development } }, _name, afterMs) {
      await ageEverything(development as RealDevelopment, afterMs - ageMs);
      ageMs = afterMs;
    },
    leftOut: ({ ask }: Row) => (ask.kind === 'release' && ask.afterMs % HOUR_MS !== 0 ? 'this plane has no clock that stands still before an instant' : undefined),
  };
}

describePulumiOnRealPlane('pulumi on Kubernetes 1.37', { macs: [...macs(18, 'base', 'c02mac'), ...PINNED], tenants: 2 }, (suite) => {
  describePulumiLayer(suite, moments());
});
