import type { MacNode } from '../../../sdk/api';
import { AgentUnavailable, type AgentState } from '../../../sdk/client/agent-reader';
import type { Instant } from '../../../sdk/rules/instant';
import { INSTANCES_PER_CHASSIS } from '../../../sdk/rules/limits';
import type { Context } from '../context';
import type { Doubt } from './doubts';

/** Why what the agent says is not the enrolled Mac with nothing on it; undefined when it is. */
export function whyNotEmpty({ spec, metadata }: MacNode, state: AgentState): string | undefined {
  if (state.serial.toLowerCase() !== metadata.name) return `the agent is on Mac ${state.serial}`;
  if (state.hardwareUUID.toLowerCase() !== spec.hardwareUUID.toLowerCase()) return `the agent is on hardware ${state.hardwareUUID}, and the Mac was enrolled with ${spec.hardwareUUID}`;
  const running = Math.max(state.capacity.running, state.vms.length);
  if (running > 0) return `${running} machine(s) run on it`;
  if (state.disks.length > 0) return `${state.disks.length} disk(s) are left on it`;
  const { kernelQuota } = state.capacity;
  return kernelQuota > INSTANCES_PER_CHASSIS ? `its kernel allows ${kernelQuota} machines and the licence ${INSTANCES_PER_CHASSIS}` : undefined;
}

async function answerOf({ agents }: Context, macNode: MacNode): Promise<Pick<Doubt, 'reason' | 'why'> | undefined> {
  try {
    const why = whyNotEmpty(macNode, await agents.read(macNode));
    return why === undefined ? undefined : { reason: 'AgentDisagrees', why };
  } catch (error) {
    if (!(error instanceof AgentUnavailable)) throw error;
    return { reason: 'AgentUnavailable', why: error.message };
  }
}

/**
 * Asks the Mac itself, before a step that cannot be taken back, whether it is the enrolled one and empty. Null when it is; otherwise nothing
 * irreversible is done until it has been asked again.
 */
export async function doubtOf(context: Context, macNode: MacNode, now: Instant): Promise<Doubt | null> {
  const { stores: { doubts }, log } = context;
  const serial = macNode.metadata.name;
  const standing = doubts.standing(serial, now);
  if (standing !== undefined) return standing;
  const answer = await answerOf(context, macNode);
  if (answer === undefined) {
    doubts.clear(serial);
    return null;
  }
  if (doubts.of(serial)?.why !== answer.why) log.warn({ serial, reason: answer.reason, why: answer.why }, 'the agent of a Mac does not confirm what was reported: nothing is bound or released on it until it does');
  return doubts.raise(serial, answer.reason, answer.why, now);
}
