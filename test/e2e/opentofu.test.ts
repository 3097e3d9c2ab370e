import { describeTofu, macs } from '../harness/terraform-suite';
import { holdAppliedBefore } from './specs/hold';
import { swaps } from './specs/machines';
import { pairOnALease } from './specs/pair-on-a-lease';

describeTofu('OpenTofu: a lease with two instances', { macs: macs(3), tenants: 2 }, pairOnALease);

describeTofu('OpenTofu: `on_early_release = "hold"`, applied before', { macs: macs(4), tenants: 2 }, holdAppliedBefore);

describeTofu('OpenTofu: machines on a simulated Mac', { macs: macs(2), tenants: 2 }, (suite) => swaps(suite, macs(2).map(({ serial }) => serial)));
