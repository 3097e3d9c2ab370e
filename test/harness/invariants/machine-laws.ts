import { INSTANCES_PER_CHASSIS } from '../../../sdk/rules/limits';
import type { Breach, Evidence } from './evidence';

/** Never three machines on a Mac, whoever started them. */
export function twoMachines({ moments }: Evidence): Breach[] {
  return moments.filter(({ running }) => running.length > INSTANCES_PER_CHASSIS)
    .map(({ serial, running }) => ({ law: 'TwoMachines', what: `Mac ${serial} ran ${running.length} machines at once: ${running.join(', ')}` }));
}

/** Never two tenants on a Mac: neither two machines, nor a machine beside the disk of another tenant. */
export function oneTenant({ moments, instances }: Evidence): Breach[] {
  const tenants = new Map(instances.map(({ object: { metadata } }) => [metadata.uid, metadata.namespace ?? '']));
  return moments.flatMap(({ serial, running, disks }): Breach[] => {
    const present = new Set([...running, ...disks].flatMap((uid) => (uid === undefined ? [] : [tenants.get(uid) ?? `the unknown instance ${uid}`])));
    return present.size > 1 ? [{ law: 'OneTenant', what: `Mac ${serial} held machines or disks of ${[...present].join(' and ')} at once` }] : [];
  });
}
