import { Kinds } from '../../sdk/api/kinds';
import { Label, Taint, VM_RESOURCE } from '../../sdk/api/names';
import type { Node } from '../../sdk/api/core-objects';
import { isFault } from '../../sdk/client/errors';
import type { Context } from '../context';
import { MOST_MACHINES } from '../limit';

const labels = (serial: string): Record<string, string> => ({ [Label.Serial]: serial, 'kubernetes.io/os': 'darwin' });

/** What the scheduler may place on the Mac. A kubelet would copy capacity to allocatable; here nobody does. */
export function capacity(): Record<string, string> {
  return { [VM_RESOURCE]: String(MOST_MACHINES), pods: String(MOST_MACHINES) };
}

/** The Node of this Mac, created with the taint of an unleased one. Taints of a Node that exists are the operator's: the agent never writes them. */
export async function ensureNode(ctx: Context): Promise<Node> {
  const found = await ctx.plane.tryGet(Kinds.Node, { name: ctx.node }) ?? await createNode(ctx);
  const wanted = labels(ctx.serial);
  const isLabelled = Object.entries(wanted).every(([key, value]) => found.metadata.labels?.[key] === value);
  return isLabelled ? found : ctx.plane.patch(Kinds.Node, { name: ctx.node }, { metadata: { labels: wanted } });
}

async function createNode(ctx: Context): Promise<Node> {
  try {
    return await ctx.plane.create(Kinds.Node, {
      metadata: { name: ctx.node, labels: labels(ctx.serial) },
      spec: { taints: [{ key: Taint.Unleased, effect: 'NoSchedule' }] },
      status: { capacity: capacity(), allocatable: capacity() },
    });
  } catch (error) {
    if (!isFault(error, 'AlreadyExists')) throw error;
    return ctx.plane.get(Kinds.Node, { name: ctx.node });
  }
}
