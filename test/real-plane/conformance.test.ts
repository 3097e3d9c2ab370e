import { describeRealPlane } from '../harness/real-plane-suite';

jest.mock('../conformance/layer-plane', () => jest.requireActual<object>('./layer-plane'));

// The runners of the table are test files: evaluated here, they stand on the real plane instead.
describeRealPlane('the CRDs of deploy/ on Kubernetes 1.37', () => void jest.requireActual('../conformance/crd.test'));
describeRealPlane('kube-scheduler 1.37', () => void jest.requireActual('../conformance/scheduler.test'));
describeRealPlane('agents under the Node authorizer of Kubernetes 1.37', () => void jest.requireActual('../conformance/agent.test'));
