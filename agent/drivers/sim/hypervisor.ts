import { BUNDLE_PREFIX, HypervisorError, type Hypervisor } from '../../driver';
import type { SimMac } from './mac';

const bundle = (instanceUID: string): string => BUNDLE_PREFIX + instanceUID;

/** The driver of a simulated Mac. Any number of agents, one after the other, may be given the same Mac. */
export function simHypervisor(mac: SimMac): Hypervisor {
  const answer = async <T>(work: () => T | Promise<T>): Promise<T> => {
    if (mac.faults.unavailable !== undefined) throw new HypervisorError('Failed', mac.faults.unavailable);
    return work();
  };
  return {
    hardwareUUID: () => answer(() => mac.hardwareUUID),
    bootID: () => answer(() => mac.bootID),
    probeLimit: () => answer(() => mac.kernel.quota),
    list: () => answer(() => mac.running()),
    disks: () => answer(() => mac.bundles().filter(({ name }) => name.startsWith(BUNDLE_PREFIX))
      .map(({ name, machineID, mac: address }) => ({ instanceUID: name.slice(BUNDLE_PREFIX.length), machineID, mac: address }))),
    create: ({ instanceUID }) => answer(() => {
      const { machineID, mac: address } = mac.createBundle(bundle(instanceUID));
      return { machineID, mac: address };
    }),
    start: (instanceUID) => answer(() => mac.boot(bundle(instanceUID))),
    stop: (instanceUID, graceMs) => answer(() => mac.shutDown(bundle(instanceUID), graceMs)),
    delete: (instanceUID) => answer(() => mac.deleteBundle(bundle(instanceUID))),
    onChange: (listener) => mac.onChange(listener),
  };
}
