import { ageClaim } from '../../realplane/ageing';
import type { RealDevelopment } from '../../realplane/real-development';
import { Kinds } from '../../sdk/api/kinds';

const LEASED = new Set(['Bound', 'Held']);

/** Makes every lease that holds a Mac look bound `ms` milliseconds earlier: what a clock that jumps is elsewhere. */
export async function ageEverything({ plane, connectAs }: RealDevelopment, ms: number): Promise<void> {
  const admin = await connectAs('macrack-admin');
  const { items } = await admin.list(Kinds.MacNodeLease).finally(() => admin.close());
  for (const { metadata: { namespace = '', name }, status } of items) {
    if (status?.chassis !== undefined && LEASED.has(status.phase ?? '')) await ageClaim(plane.store, { serial: status.chassis, lease: { namespace, name } }, ms);
  }
}
