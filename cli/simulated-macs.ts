import type { SimulatedMac } from '../devplane/development-plane';
import type { DevOptions } from './dev-options';

/** The Macs that the options ask for, with serials in a row. */
export function simulatedMacs({ macs, class: name }: Pick<DevOptions, 'macs' | 'class'>): SimulatedMac[] {
  return Array.from({ length: macs }, (_, i) => ({ serial: `sim${String(i + 1).padStart(4, '0')}`, class: name }));
}
