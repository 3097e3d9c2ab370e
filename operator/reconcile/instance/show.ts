import type { MacOSInstance, MacOSInstanceStatus } from '../../../sdk/api';
import type { AuditEvent } from '../../audit/audit-log';
import type { Decision } from '../engine/converge';
import { statusPatch } from '../engine/status-diff';
import type { GroupFacts } from './facts';
import type { InstanceStep } from './steps';
import type { Status } from './wanted-status';

const PASSIVE: readonly (keyof MacOSInstanceStatus)[] = ['lastSeen', 'observedGeneration'];

/** Writes the status if it differs. What frees or takes a slot is decided on live facts. */
export function show(_facts: GroupFacts, instance: MacOSInstance, status: Status, otherwise: Decision<InstanceStep>, event?: AuditEvent): Decision<InstanceStep> {
  if (statusPatch(instance.status, status, PASSIVE) === null) return otherwise;
  const slotStays = !('slot' in status) || status.slot === instance.status?.slot;
  return { step: { do: 'WriteStatus', instance, status, reversible: slotStays && status.phase !== 'Unknown', ...(event === undefined ? {} : { event }) } };
}
