import type { MacNodeLease } from '../../../sdk/api/kinds';
import { UNKNOWN } from '../../../sdk/rules/unknown';
import type { OnEarlyRelease } from '../../../sdk/rules/judge-release';
import { DEFAULT_MINIMUM, phaseOf, type LeaseTarget, type StoredLease } from '../../core/lease';
import { isSet, type Props } from '../props';
import { ownerFor } from './owner';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What a lease on the server reports. Absent values are left out: the engine knows no null. */
export function leaseOutputs(lease: MacNodeLease): Props {
  const { status, metadata } = lease;
  const outputs = {
    uid: metadata.uid, phase: phaseOf(lease), chassis: status?.chassis, node: status?.node, boundAt: status?.boundAt,
    earliestReleaseAt: status?.earliestReleaseAt, heldSince: status?.heldSince, slots: status?.slots,
  };
  return Object.fromEntries(Object.entries(outputs).filter(([, value]) => isSet(value)));
}

/** The part of a lease's status that `statusInDiff` shows as a difference. */
export function observedOf(lease: MacNodeLease): Props {
  const { phase, earliestReleaseAt, heldSince } = leaseOutputs(lease);
  return Object.fromEntries(Object.entries({ phase, earliestReleaseAt, heldSince }).filter(([, value]) => isSet(value)));
}

/** The lease that inputs without holes ask for. */
export function leaseTarget(inputs: Props): LeaseTarget {
  return {
    namespace: text(inputs.namespace), name: text(inputs.name), class: text(inputs.class), serial: textOrNull(inputs.serial),
    minimumDuration: textOrNull(inputs.minimumDuration) ?? DEFAULT_MINIMUM, adopt: inputs.adopt === true, owner: ownerFor(inputs.owner),
  };
}

/** A lease as the state has it. Inputs alone say nothing of its phase. */
export function storedLease(state: Props): StoredLease {
  const onEarlyRelease: OnEarlyRelease = state.onEarlyRelease === 'hold' ? 'hold' : 'refuse';
  const { adopt: _adopt, ...inputs } = leaseTarget(state);
  return {
    ...inputs, onEarlyRelease, uid: text(state.uid), phase: typeof state.phase === 'string' ? state.phase : UNKNOWN,
    chassis: textOrNull(state.chassis), earliestReleaseAt: textOrNull(state.earliestReleaseAt),
  };
}

/** The same of the object on the server: what a state would hold of it. The wish for an early release is the tool's own. */
export function storedOnServer(lease: MacNodeLease, onEarlyRelease: OnEarlyRelease = 'refuse'): StoredLease {
  const { metadata: { namespace = '', name, uid }, spec, status } = lease;
  return {
    namespace, name, uid, class: spec.class, serial: spec.serial ?? null, minimumDuration: spec.minimumDuration, onEarlyRelease,
    phase: phaseOf(lease), chassis: status?.chassis ?? null, earliestReleaseAt: status?.earliestReleaseAt ?? null,
  };
}
