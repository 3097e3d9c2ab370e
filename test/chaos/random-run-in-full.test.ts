import { describeRealPlane } from '../harness/real-plane-suite';
import { playsWhole, SEED } from './plays-whole';

describe('whatever else tenants do and whoever dies, on the development plane', () => {
  it(`two machines, one tenant, the floor, every lease, every Mac and the record stand: seed ${SEED + 1}`, () => playsWhole('dev', SEED + 1, 60));
});

describeRealPlane('whatever tenants do and whoever dies, on Kubernetes 1.37', () => {
  it(`the same stands: seed ${SEED}`, () => playsWhole('real', SEED, 40));
});
