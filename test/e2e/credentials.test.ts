import { describeTerraform, macs } from '../harness/terraform-suite';
import { credentials } from './specs/credentials';

describeTerraform('the plane and the identity', { macs: [...macs(2), ...macs(1, 'pro')], tenants: 1 }, credentials);
