import { heldLease } from '../e2e/specs/hold';
import { pairOnALease } from '../e2e/specs/pair-on-a-lease';
import { severalLeases } from '../e2e/specs/several-leases';
import { describeTerraformOnRealPlane, macs } from '../harness/terraform-suite';

// In this order: the last two put everything past its floor.
describeTerraformOnRealPlane('the rest of the provider on Kubernetes 1.37', { macs: [...macs(12), ...macs(1, 'pro')], tenants: 7 }, (suite) => {
  describe('a lease with two instances', () => pairOnALease(suite));
  describe('a Held lease', () => heldLease(suite));
  describe('several leases in one run', () => severalLeases(suite));
});
