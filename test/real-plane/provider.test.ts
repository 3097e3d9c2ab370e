import { holdAppliedBefore } from '../e2e/specs/hold';
import { swaps } from '../e2e/specs/machines';
import { describeTerraformOnRealPlane, macs } from '../harness/terraform-suite';

const own = macs(1, 'base', 'z02own');

describeTerraformOnRealPlane('the provider on Kubernetes 1.37', { macs: [...macs(1), ...own], tenants: 2 }, (suite) => {
  describe('machines', () => swaps(suite, own.map(({ serial }) => serial)));
  describe('`on_early_release = "hold"`, applied before', () => holdAppliedBefore(suite));
});
