import { Kinds } from '../../../sdk/api';
import type { ControlPlane } from '../../../sdk/client/control-plane';
import { isFault, type PlaneError } from '../../../sdk/client/errors';
import { ask } from './ask';
import type { Check } from './check';
import { bad, Fault, GOOD, unknown, type Finding } from './finding';

/** Whether an administrator of the cluster could take the policies away: no, where they are files of the API server; yes, where they are objects. */
export type TamperProof = boolean;

// A claim without the finalizer that keeps it until its floor. Nothing is stored either way.
const claimWithoutFinalizer = {
  metadata: { name: 'macrackprobe' },
  spec: { leaseNamespace: 'macrack-system', leaseName: 'probe', leaseUID: 'probe', namespaceUID: 'probe', tenant: 'macrack-system', minimumDuration: '24h' },
};

const DENIED_BY = /ValidatingAdmissionPolicy '([^']+)'/;
const CLAIM_FLOOR = /^p7b-/;

/** Names of static objects end so, and the API refuses such names. */
const isStatic = (policy: string): boolean => policy.endsWith('.static.k8s.io');

/** What the denial of the probe says. */
export function judgeDenial(denial: PlaneError): { readonly finding: Finding; readonly tamperProof?: TamperProof } {
  const [, policy] = DENIED_BY.exec(denial.said) ?? [];
  if (policy === undefined) return { finding: unknown(Fault.PlaneUnavailable, `the policy of the claims' floor was not reached: ${denial.said}`) };
  if (CLAIM_FLOOR.test(policy)) return { finding: GOOD, tamperProof: isStatic(policy) };
  return { finding: bad(Fault.RightMissing, `no claim can be made: ${denial.said} Policies know the operator by its user name: is the client certificate that of macrack-operator?`) };
}

const MISSING = bad(Fault.PolicyMissing, 'a claim without its finalizer would be accepted: the policy p7b-claim-floor is not in force, and nothing would keep a lease until its floor. '
  + "Install the policies of this release, as files of the API server (deploy/policies) where it is 1.37 or later.");

/** Asks for what policy p7b denies, and reads from the denial where the policy lives. */
export function policyCheck(plane: ControlPlane, tell: (tamperProof: TamperProof) => void): Check {
  return {
    name: 'policies', halts: true, everyMs: 10_000,
    look: () => ask(async () => {
      try {
        await plane.create(Kinds.MacNodeBinding, claimWithoutFinalizer, { dryRun: true });
        return MISSING;
      } catch (error) {
        if (!isFault(error, 'Forbidden')) throw error;
        const { finding, tamperProof } = judgeDenial(error);
        if (tamperProof !== undefined) tell(tamperProof);
        return finding;
      }
    }),
  };
}
