import { heldLease } from '../e2e/specs/hold';
import { imports } from '../e2e/specs/imports';
import { pairOnALease } from '../e2e/specs/pair-on-a-lease';
import { severalLeases } from '../e2e/specs/several-leases';
import { twoForTwo } from '../e2e/specs/two-for-two';
import { describeTerraformOnRealPlane, macs } from '../harness/terraform-suite';

// In this order: the first pins its Mac while it is free, and two of the last put everything past its floor.
describeTerraformOnRealPlane('the rest of the provider on Kubernetes 1.37', { macs: [...macs(17), ...macs(1, 'pro')], tenants: 10 }, (suite) => {
  describe('two machines swapped for two others', () => twoForTwo(suite, 'c02base01', 'by reference', [2, 10]));
  describe('leases and machines that exist', () => imports(suite));
  describe('a lease with two instances', () => pairOnALease(suite));
  describe('a Held lease', () => heldLease(suite));
  describe('several leases in one run', () => severalLeases(suite));
});
