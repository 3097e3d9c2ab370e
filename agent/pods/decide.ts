import type { Pod } from '../../sdk/api/core-objects';
import type { Run } from '../journal/ledger';

/**
 * The next step for one pod UID.
 * - `Stop`: end its machine. `Close`: its machine is gone, write it down. `Confirm`: its machine runs, write it down.
 * - `Remove`: the API object goes. `Fail`, `Report`: its status says what the journal says. `Start`: judge and start.
 */
export type Step = 'Stop' | 'Close' | 'Confirm' | 'Remove' | 'Fail' | 'Report' | 'Start' | 'Nothing';

const isTerminal = (pod: Pod): boolean => pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';

/**
 * Pure: the pod as the API has it (undefined: gone), what the journal knows, and whether its machine is in the hypervisor's list.
 * A pod is removed or made terminal only after its machine is gone, since both free the slot at once.
 */
export function decide(pod: Pod | undefined, run: Run | undefined, isRunning: boolean): Step {
  const isWanted = pod !== undefined && pod.metadata.deletionTimestamp === undefined && !isTerminal(pod);
  if (isRunning) {
    if (run?.outcome !== undefined) return 'Stop';
    // Also one that is not wanted any more: what ran is written down as started before it is written down as stopped.
    if (run?.phase !== 'Running') return 'Confirm';
    return isWanted && run.stopCause === undefined ? 'Report' : 'Stop';
  }
  if (run?.phase === 'Running') return 'Close';
  if (pod === undefined) return 'Nothing';
  if (pod.metadata.deletionTimestamp !== undefined) return 'Remove';
  if (isTerminal(pod)) return 'Nothing';
  return run?.outcome === undefined ? 'Start' : 'Fail';
}
