import { describeRealPlane } from '../harness/real-plane-suite';
import { describeOperator } from './operator-suite';
import { realWorld } from './world';

jest.setTimeout(180_000);

describeRealPlane('the operator on Kubernetes 1.37', () => describeOperator(realWorld, false));
