import { BUNDLE_PREFIX, HypervisorError, type Hypervisor } from '../../driver';
import type { DurableSimMac } from './durable-mac';

const bundle = (instanceUID: string): string => BUNDLE_PREFIX + instanceUID;

/** The driver of a simulated Mac in a file, for agents that are processes. */
export function durableSimHypervisor(mac: DurableSimMac): Hypervisor {
  const answer = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const { unavailable } = mac.settings;
    if (unavailable !== '') throw new HypervisorError('Failed', unavailable);
    return work();
  };
  return {
    hardwareUUID: () => answer(() => mac.hardwareUUID),
    bootID: () => answer(() => mac.bootID),
    probeLimit: () => answer(() => mac.settings.kernelQuota),
    list: () => answer(() => mac.running()),
    disks: () => answer(() => mac.bundles().filter(({ name }) => name.startsWith(BUNDLE_PREFIX))
      .map(({ name, ...identity }) => ({ instanceUID: name.slice(BUNDLE_PREFIX.length), machineID: identity.machineID, mac: identity.mac }))),
    create: ({ instanceUID }) => answer(() => mac.createBundle(bundle(instanceUID))),
    start: (instanceUID) => answer(() => mac.boot(bundle(instanceUID))),
    stop: (instanceUID, graceMs) => answer(() => mac.shutDown(bundle(instanceUID), graceMs)),
    delete: (instanceUID) => answer(() => mac.deleteBundle(bundle(instanceUID))),
    onChange: (listener) => mac.onChange(listener),
  };
}
