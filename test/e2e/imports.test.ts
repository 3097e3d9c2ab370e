import { describeTerraform, macs } from '../harness/terraform-suite';
import { imports } from './specs/imports';

describeTerraform('leases and machines that exist', { macs: macs(4), tenants: 2 }, imports);
