import type { Node } from '../../sdk/api/core-objects';
import { Kinds } from '../../sdk/api/kinds';
import { AGENT_STALE_MS } from '../../sdk/api/timing';
import { isFault } from '../../sdk/client/errors';
import type { Context } from '../context';

const NAMESPACE = 'kube-node-lease';

/** Renews the sign of life that Kubernetes' own node controller reads. */
export async function renewLease(ctx: Context, node: Node): Promise<void> {
  const spec = { holderIdentity: ctx.node, leaseDurationSeconds: AGENT_STALE_MS / 1000, renewTime: microTime(ctx.clock.now()) };
  try {
    await ctx.plane.patch(Kinds.CoordinationLease, { namespace: NAMESPACE, name: ctx.node }, { spec });
  } catch (error) {
    if (!isFault(error, 'NotFound')) throw error;
    const owner = { apiVersion: 'v1', kind: 'Node', name: ctx.node, uid: node.metadata.uid };
    await ctx.plane.create(Kinds.CoordinationLease, { metadata: { namespace: NAMESPACE, name: ctx.node, ownerReferences: [owner] }, spec });
  }
}

// renewTime is a MicroTime: six digits, also where they are zero.
const microTime = (second: string): string => second.replace('Z', '.000000Z');
