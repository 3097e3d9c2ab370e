import type { Context } from '../context';
import type { Identity } from '../driver';
import type { NewEntry } from '../journal/journal';
import type { Cause, RunFacts } from '../journal/line';

const LONGEST_MESSAGE = 1024;

/** An event about one pod's machine. @param vmCount machines on the Mac after the event. */
export function podEntry(ctx: Context, event: 'Started' | 'Stopped' | 'Refused', run: RunFacts, vmCount: number, more: { identity?: Identity | undefined; cause?: Cause }): NewEntry {
  const { instanceUID, podUID, leaseUID, bindingUID, tenant } = run;
  return {
    event, at: ctx.clock.now(), instanceUID, podUID, leaseUID, bindingUID, tenant, vmCount,
    ...(more.identity === undefined ? {} : { machineID: more.identity.machineID, mac: more.identity.mac }),
    ...(more.cause === undefined ? {} : { reason: more.cause.reason, message: more.cause.message.slice(0, LONGEST_MESSAGE) }),
  };
}
