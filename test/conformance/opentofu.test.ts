import { describeTofu } from '../harness/terraform-suite';
import { LAYER_OPTIONS, terraformLayer } from './terraform-layer';

describeTofu('OpenTofu', LAYER_OPTIONS, terraformLayer);
