import { join } from 'node:path';
import type { Timers } from '../../sdk/client/timers';
import type { Hypervisor } from '../driver';
import type { DriverName } from './driver-names';

export interface OpenedDriver {
  readonly hypervisor: Hypervisor;
  /** Serial number of the Mac itself; undefined where the driver has none of its own. */
  readonly serialNumber?: () => Promise<string>;
}

/** Drivers are loaded when they are used: no Mac needs the simulated one. */
export async function openDriver(name: DriverName, stateDirectory: string, timers: Timers): Promise<OpenedDriver> {
  if (name === 'sim') {
    const { DurableSimMac, durableSimHypervisor } = await import('../drivers/sim/index.js');
    return { hypervisor: durableSimHypervisor(new DurableSimMac(join(stateDirectory, 'sim.sqlite'), { timers })) };
  }
  const { tartHypervisor } = await import('../drivers/tart/index.js');
  const hypervisor = tartHypervisor({ timers });
  return { hypervisor, serialNumber: () => hypervisor.serialNumber() };
}
