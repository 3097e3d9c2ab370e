import { describePolicies } from '../conformance/policy-layer';
import { describeRealPlane } from '../harness/real-plane-suite';
import { startApiLayerPlane } from './api-layer-plane';

describeRealPlane('the rules as objects of the API', () => describePolicies(startApiLayerPlane, true));
