import { describeTerraform, macs } from '../harness/terraform-suite';
import { twoForTwo } from './specs/two-for-two';

describeTerraform('two machines are swapped for two others in one apply', { macs: macs(2), tenants: 2 }, (suite) => {
  twoForTwo(suite, 'c02base01', 'by reference', [1, 2, 10, 50]);
  twoForTwo(suite, 'c02base02', 'as a literal', [1, 2, 10, 50]);
});
