import { describeTerraform } from '../harness/terraform-suite';
import { LAYER_OPTIONS, terraformLayer } from './terraform-layer';

describeTerraform('terraform', LAYER_OPTIONS, terraformLayer);
