import { describeRealPlane } from '../harness/real-plane-suite';
import { type Both, bothPlanes } from './planes';
import { findDifference, report } from './random';

const FEW = 60;
const many = Number(process.env.MACRACK_DIFFERENTIAL ?? FEW);
const seed = Number(process.env.MACRACK_SEED ?? 20_261_129);

jest.setTimeout(Math.max(300_000, many * 2000));

describeRealPlane('the development plane beside Kubernetes 1.37', () => {
  let both: Both;
  beforeAll(async () => {
    both = await bothPlanes();
  });
  afterAll(() => both?.stop());

  it(`answers random lives of a tenant's objects alike (${many} of seed ${seed})`, async () => {
    const difference = await findDifference(both, seed, many);
    expect(difference === undefined ? 'no difference' : report(seed, difference)).toBe('no difference');
  });
});
