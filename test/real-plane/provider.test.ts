import { heldLease, holdAppliedBefore } from '../e2e/specs/hold';
import { swaps } from '../e2e/specs/machines';
import { pairOnALease } from '../e2e/specs/pair-on-a-lease';
import { severalLeases } from '../e2e/specs/several-leases';
import { describeTerraformOnRealPlane, macs } from '../harness/terraform-suite';

const own = macs(1, 'base', 'z02own');

// In this order: the last two put everything past its floor.
describeTerraformOnRealPlane('the provider on Kubernetes 1.37', { macs: [...macs(12), ...macs(1, 'pro'), ...own], tenants: 9 }, (suite) => {
  describe('machines', () => swaps(suite, own.map(({ serial }) => serial)));
  describe('a lease with two instances', () => pairOnALease(suite));
  describe('`on_early_release = "hold"`, applied before', () => holdAppliedBefore(suite));
  describe('a Held lease', () => heldLease(suite));
  describe('several leases in one run', () => severalLeases(suite));
});
