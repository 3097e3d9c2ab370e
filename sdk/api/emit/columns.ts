/** A column of `kubectl get`. Priority 1 shows only with `-o wide`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  readonly priority?: 1;
}

// Instants are strings: a column of type `date` prints an age, and `<invalid>` for a future instant, which a floor is.
function text(name: string, jsonPath: string): PrinterColumn {
  return { name, type: 'string', jsonPath };
}

function count(name: string, jsonPath: string): PrinterColumn {
  return { name, type: 'integer', jsonPath };
}

function wide(column: PrinterColumn): PrinterColumn {
  return { ...column, priority: 1 };
}

const age: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };
// No table of a custom resource says Terminating.
const deleting = text('Deleting', '.metadata.deletionTimestamp');

export const leaseColumns: readonly PrinterColumn[] = [
  text('Phase', '.status.phase'), text('Chassis', '.status.chassis'), text('Bound-At', '.status.boundAt'),
  text('Earliest-Release', '.status.earliestReleaseAt'), deleting, age,
  wide(text('Class', '.spec.class')), wide(text('Node', '.status.node')), wide(text('Serial-Pin', '.spec.serial')),
  wide(text('Minimum', '.spec.minimumDuration')), wide(text('Release-Requested', '.status.releaseRequestedAt')),
  wide(text('Held-Since', '.status.heldSince')), wide(text('Released-At', '.status.releasedAt')),
  wide(count('VMs', '.status.slots.used')), wide(text('Reason', '.status.reason')),
];

export const instanceColumns: readonly PrinterColumn[] = [
  text('Phase', '.status.phase'), text('Lease', '.spec.leaseName'), count('Slot', '.status.slot'), text('Node', '.status.node'),
  text('IP', '.status.ip'), text('Reason', '.status.reason'), deleting, age,
  wide(text('Image', '.spec.image')), wide(count('CPU', '.spec.shape.cpu')), wide(text('Memory', '.spec.shape.memory')), wide(text('Disk', '.spec.shape.disk')),
  wide(text('MAC', '.status.mac')), wide(text('Machine-ID', '.status.machineID')),
];

export const nodeColumns: readonly PrinterColumn[] = [
  text('Class', '.spec.class'), text('Ready', '.status.conditions[?(@.type=="Ready")].status'), count('VMs', '.status.vmCount'),
  text('Last-Seen', '.status.lastSeen'), age,
  wide(text('Cordoned', '.spec.cordoned')), wide(text('Retired', '.spec.retired')), wide(text('Node', '.status.nodeRef')), wide(count('Leaked', '.status.leaked')), wide(text('Claim', '.status.bindingUID')), wide(text('Hardware-UUID', '.spec.hardwareUUID')),
];

export const classColumns: readonly PrinterColumn[] = [
  count('Total', '.status.total'), count('Unleased', '.status.unleased'), count('Leased', '.status.leased'), count('Held', '.status.held'),
  text('Next-Release', '.status.nextReleaseAt'),
  wide(count('CPU', '.spec.cpu')), wide(text('Memory', '.spec.memory')), wide(text('Disk', '.spec.disk')), wide(age),
];

export const bindingColumns: readonly PrinterColumn[] = [
  text('Tenant', '.spec.tenant'), text('Lease', '.spec.leaseName'), text('Bound-At', '.metadata.creationTimestamp'), text('Minimum', '.spec.minimumDuration'), deleting, age,
  wide(text('Lease-UID', '.spec.leaseUID')), wide(text('Namespace-UID', '.spec.namespaceUID')),
];

export const clockColumns: readonly PrinterColumn[] = [text('Stamped-At', '.metadata.creationTimestamp'), age];
