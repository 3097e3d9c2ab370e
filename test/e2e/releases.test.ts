import { describeTerraform, macs } from '../harness/terraform-suite';
import { severalLeases } from './specs/several-leases';
import { youngLease } from './specs/young-lease';

describeTerraform('a young lease', { macs: macs(1), tenants: 1 }, youngLease);

describeTerraform('several leases in one run', { macs: [...macs(7), ...macs(1, 'pro')], tenants: 1 }, severalLeases);
