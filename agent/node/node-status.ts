import type { Node } from '../../sdk/api/core-objects';
import { Kinds } from '../../sdk/api/kinds';
import type { Context } from '../context';
import { readyCondition, setCondition } from './conditions';
import { capacity } from './register';

/** Writes the status of the Node: two machines at most, and whether they could be started now. */
export function patchNodeStatus(ctx: Context, node: Node): Promise<Node> {
  const now = ctx.clock.now();
  const conditions = setCondition(node.status?.conditions ?? [], readyCondition(ctx.gate.closed), now)
    .map((condition) => (condition.type === 'Ready' ? { ...condition, lastHeartbeatTime: now } : condition));
  const status = { capacity: capacity(), allocatable: capacity(), conditions };
  return ctx.plane.patch(Kinds.Node, { name: ctx.node }, { status }, { subresource: 'status' });
}
