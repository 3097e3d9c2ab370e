import type { Kind, KubeObject, NewObject } from '../../sdk/api/object';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { isFault } from '../../sdk/client/errors';
import type { Core } from './core';
import type { WaitLimits } from './await-set';

const AGAIN_MS = 1000;

/** Admission could not judge: its webhook did not answer, or could not look something up. Nothing was stored, and the same create may be sent again. */
function isUnjudged(error: unknown): boolean {
  return isFault(error, 'Unavailable') && error.detail.code === 500 && /failed calling webhook|NotChecked/.test(error.said);
}

function pause(core: Core, { deadline, signal }: WaitLimits): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      for (const s of [deadline.over, signal]) s.removeEventListener('abort', end);
      resolve();
    };
    const cancel = core.timers.after(AGAIN_MS, end);
    for (const s of [deadline.over, signal]) s.addEventListener('abort', end);
  });
}

/** Creates, and tries again until the deadline while admission cannot judge: an operator that restarts takes its webhooks along for a moment. */
export async function createChecked<T extends KubeObject>(core: Core, plane: ControlPlane, kind: Kind<T>, object: NewObject, limits: WaitLimits): Promise<T> {
  for (;;) {
    try {
      return await plane.create(kind, object);
    } catch (error) {
      if (!isUnjudged(error) || limits.deadline.over.aborted || limits.signal.aborted) throw error;
      await pause(core, limits);
    }
  }
}
