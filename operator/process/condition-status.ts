import type { StatusCondition } from '../../sdk/api';
import { Condition } from '../../sdk/api/phases';
import type { Trouble } from './checks/checkup';

export type OperatorCondition = Pick<StatusCondition, 'type' | 'status' | 'reason' | 'message'>;

const LONGEST_MESSAGE = 2048;

/** Whether the operator works. Tenants read it: it names nobody. */
export function readyCondition(troubles: readonly Trouble[]): OperatorCondition {
  const [worst] = troubles;
  if (worst === undefined) return { type: Condition.OperatorReady, status: 'True', reason: 'Working', message: 'Leases are bound and released.' };
  const message = [...new Set(troubles.map((t) => t.message))].join(' ');
  return { type: Condition.OperatorReady, status: 'False', reason: worst.fault, message: message.slice(0, LONGEST_MESSAGE) };
}

/** Where the policies live; undefined while it is not known. */
export function tamperProofCondition(tamperProof: boolean | undefined): OperatorCondition | undefined {
  if (tamperProof === undefined) return undefined;
  return tamperProof
    ? { type: Condition.TamperProof, status: 'True', reason: 'PoliciesAreFiles', message: 'The policies are files of the API server: no user of the API can take them away.' }
    : { type: Condition.TamperProof, status: 'False', reason: 'PoliciesAreObjects', message: 'The policies are objects of the API: an administrator of the cluster could take them away, and with them what keeps a lease for 24 hours and a Mac to one tenant.' };
}
