import * as runtime from '@pulumi/pulumi/runtime';
import type { ResourceMonitorClient } from '@pulumi/pulumi/proto/resource_grpc_pb';

type Monitor = Partial<Pick<ResourceMonitorClient, 'registerResourceHook'>>;

/** The engine of the run that this code is part of; undefined outside a run and under mocks, where nothing is planned or made. */
export function currentEngine(): object | undefined {
  const monitor = monitorOrNone();
  return typeof monitor?.registerResourceHook === 'function' ? monitor : undefined;
}

/** True where a program is run by its unit tests. */
export function isMocked(): boolean {
  const monitor = monitorOrNone();
  return monitor !== undefined && typeof monitor.registerResourceHook !== 'function';
}

function monitorOrNone(): Monitor | undefined {
  try {
    return runtime.getMonitor();
  } catch {
    // Outside a run there is none to get.
    return undefined;
  }
}
