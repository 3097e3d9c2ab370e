import type { MacNodeLease } from '../../sdk/api/kinds';
import type { Core } from './core';
import { warning, type Findings } from './finding';
import { factsOf } from './lease';

/** What a preview says of a lease on whose Mac the kernel counts machines that nobody runs; none at apply. */
export function leakWarnings(core: Core, lease: MacNodeLease): Findings {
  const { total = 2, used = 0, leaked = 0 } = lease.status?.slots ?? {};
  if (leaked === 0 || core.run.walk === 'apply') return [];
  const { namespace, name, serial } = factsOf(lease);
  const mac = typeof serial === 'string' ? `Mac ${serial}` : 'its Mac';
  return [warning('KernelLimit', '', `lease ${namespace}/${name}: slots ${used}/${total}, ${leaked} leaked`, `The kernel of ${mac} counts ${leaked} virtual machine(s) that nobody runs, so it may refuse a start although a slot is free (licence, section 2B(iii)). `
    + 'The lease and its running machines are untouched, and this does not end with time. Have the fleet operator restart the Mac once nothing runs on it, then apply again.')];
}
