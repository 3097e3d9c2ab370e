import { nodeName, Reason, type JournalEntry, type MacNodeBinding, type MacOSInstance } from '../../../sdk/api';
import { parseInstant } from '../../../sdk/rules/instant';
import { AuditType, type AuditEvent, type Layer } from '../../audit/audit-log';

/** Names behind the UIDs of a journal line, as far as they are still known. */
export interface Names {
  readonly claim: MacNodeBinding | undefined;
  readonly instance: MacOSInstance | undefined;
}

const EVENT_TYPES = { Started: AuditType.InstanceStarted, Stopped: AuditType.InstanceStopped, Wiped: AuditType.DisksWiped } as const;

function refusalType(reason: string | undefined): { type: AuditType; layer: Layer } {
  switch (reason) {
    case Reason.ThirdInstance:
      return { type: AuditType.ThirdInstanceRejected, layer: 'agent' };
    case Reason.KernelLimit:
      return { type: AuditType.ThirdInstanceRejected, layer: 'kernel' };
    case Reason.CrossTenant:
      return { type: AuditType.CrossTenantRejected, layer: 'agent' };
    default:
      return { type: AuditType.StartRefused, layer: 'agent' };
  }
}

function commonPayload(serial: string, entry: JournalEntry, { claim, instance }: Names): Record<string, unknown> {
  return {
    serial, node: nodeName(serial), journalSeq: entry.seq, vmCount: entry.vmCount, tenant: entry.tenant,
    lease: claim?.spec.leaseUID === entry.leaseUID ? `${claim.spec.leaseNamespace}/${claim.spec.leaseName}` : undefined, leaseUID: entry.leaseUID, bindingUID: entry.bindingUID,
    instance: instance === undefined ? undefined : `${instance.metadata.namespace}/${instance.metadata.name}`, instanceUID: entry.instanceUID, podUID: entry.podUID,
    machineID: entry.machineID, mac: entry.mac, reason: entry.reason, message: entry.message,
  };
}

/** The audit event of a line of a Mac's journal: machine started or stopped, start refused, disks wiped. */
export function journalEvent(serial: string, entry: JournalEntry, names: Names): AuditEvent {
  const common = { dedupe: `journal/${serial}/${entry.seq}`, at: parseInstant(entry.at), serial, tenant: entry.tenant, leaseUID: entry.leaseUID };
  const payload = commonPayload(serial, entry, names);
  if (entry.event !== 'Refused') return { ...common, type: EVENT_TYPES[entry.event], payload };
  const { type, layer } = refusalType(entry.reason);
  const crossing = type === AuditType.CrossTenantRejected ? { sourceNamespace: entry.tenant, targetNode: nodeName(serial), targetLeaseTenant: names.claim?.spec.tenant } : {};
  return { ...common, type, layer, payload: { ...payload, layer, ...crossing } };
}

/** Numbers between what was taken in and what still stands in the report. */
export function gapEvent(serial: string, last: number, first: JournalEntry, after: string | undefined): AuditEvent {
  return {
    type: AuditType.JournalGap, dedupe: `journal-gap/${serial}/${last + 1}-${first.seq - 1}`, at: parseInstant(first.at), serial,
    payload: { serial, fromSeq: last + 1, toSeq: first.seq - 1, after, before: first.at },
  };
}
