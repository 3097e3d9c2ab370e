import { describeRealPlane } from '../harness/real-plane-suite';
import { describeOperator } from './operator-suite';
import { realWorld } from './world';

describeRealPlane('the operator on Kubernetes 1.37', () => describeOperator(realWorld, false));
