import { describeTerraform, macs } from '../harness/terraform-suite';
import { heldLease, holdAppliedBefore } from './specs/hold';

describeTerraform('`on_early_release = "hold"`, applied before', { macs: macs(4), tenants: 2 }, holdAppliedBefore);

describeTerraform('a Held lease', { macs: macs(6), tenants: 2 }, heldLease);
