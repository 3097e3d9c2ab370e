import type { Development } from '../../devplane/development-plane';
import { Kinds } from '../../sdk/api';
import { parseInstant } from '../../sdk/rules/instant';
import { macs } from '../harness/plane-suite';
import { describePulumi } from '../harness/pulumi/pulumi-suite';
import { describePulumiLayer } from './pulumi-layer';
import { PINNED, type Stage } from './staging';

/** The clock goes on to a moment of the lease and stands still there, to the second of the row. */
async function standStillAt({ suite: { admin, development }, tenant: { namespace } }: Stage<Development>, name: string, afterMs: number): Promise<void> {
  const { clock } = development.plane;
  const { status } = await admin.get(Kinds.MacNodeLease, { namespace, name });
  const at = parseInstant(status?.boundAt ?? '') + afterMs;
  clock.now = () => at;
  // Whatever has come due meanwhile happens now.
  clock.advance(0);
}

describePulumi('pulumi', { macs: [...macs(18, 'base', 'c02mac'), ...PINNED], tenants: 2 }, (suite) => {
  describePulumiLayer(suite, { moveTo: standStillAt });
});
