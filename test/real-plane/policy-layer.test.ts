import { describeAgentIdentity } from '../conformance/agent-identity';
import { describePolicies } from '../conformance/policy-layer';
import { describeRealPlane } from '../harness/real-plane-suite';
import { LayerPlane, POLICIES } from './layer-plane';

describeRealPlane('the policies of deploy/ on Kubernetes 1.37', () => {
  describePolicies(() => LayerPlane.start({ policies: POLICIES }), true, (layer) => describeAgentIdentity(layer, false));
});
