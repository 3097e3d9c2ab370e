import { Condition } from '../../sdk/api/phases';
import type { StatusCondition } from '../../sdk/api/condition';
import type { Closed } from '../gate';

const LONGEST_MESSAGE = 2048;

/** The conditions with one set; its transition time moves only when its status does. */
export function setCondition(former: readonly StatusCondition[], next: Omit<StatusCondition, 'lastTransitionTime'>, now: string): StatusCondition[] {
  const known = former.find(({ type }) => type === next.type);
  const lastTransitionTime = known?.status === next.status ? known.lastTransitionTime : now;
  return [...former.filter(({ type }) => type !== next.type), { ...next, message: next.message.slice(0, LONGEST_MESSAGE), lastTransitionTime }];
}

/** Ready is whether a machine could be started now. */
export function readyCondition(closed: Closed | undefined): Omit<StatusCondition, 'lastTransitionTime'> {
  if (closed === undefined) return { type: Condition.Ready, status: 'True', reason: 'AgentReady', message: 'the agent starts machines' };
  return { type: Condition.Ready, status: 'False', reason: closed.reason, message: closed.message };
}

export function slotLeakCondition(leaked: number): Omit<StatusCondition, 'lastTransitionTime'> {
  if (leaked === 0) return { type: Condition.SlotLeak, status: 'False', reason: 'NoLeak', message: 'the kernel has not refused a machine that the licence allows' };
  return { type: Condition.SlotLeak, status: 'True', reason: 'KernelLimit', message: `the kernel counts ${leaked} machine(s) that nobody runs: restart the Mac` };
}
