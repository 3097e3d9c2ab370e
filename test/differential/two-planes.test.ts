import type { Run } from '../../realplane/kubectl';
import { describeRealPlane } from '../harness/real-plane-suite';
import { SESSION, typeAll } from './kubectl-session';
import { type Both, bothPlanes } from './planes';
import { PROBES } from './probes';
import { findDifference, report } from './random';
import { type Answers, askAll } from './same-answers';

// MACRACK_DIFFERENTIAL is how many sequences, for a long run; MACRACK_SEED is where they come from.
const many = Number(process.env.MACRACK_DIFFERENTIAL ?? 60);
const seed = Number(process.env.MACRACK_SEED ?? 20_261_129);

jest.setTimeout(Math.max(300_000, many * 2000));

// The real plane is the judge. A difference is written down with its reason, and is taken out again when it is gone.
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

  describe('asked by the client of the project', () => {
    let real: Answers;
    let development: Answers;
    beforeAll(async () => {
      [real, development] = await Promise.all([askAll(both.real), askAll(both.development)]);
    });

    it.each(PROBES.filter(({ differs }) => differs === undefined).map(({ name }) => name))('answers alike: %s', (name) => {
      expect(development.outcomes.get(name)).toBe(real.outcomes.get(name));
    });

    it.each(PROBES.flatMap(({ name, differs }) => (differs === undefined ? [] : [[name, differs]])))('answers otherwise: %s (%s)', (name) => {
      expect(development.outcomes.get(name)).not.toBe(real.outcomes.get(name));
    });

    it('is left with the same objects of ours', () => {
      expect(development.state).toEqual(real.state);
    });
  });

  describe('asked by kubectl', () => {
    let real: Run[];
    let development: Run[];
    beforeAll(async () => {
      [real, development] = await Promise.all([typeAll(both.real), typeAll(both.development)]);
    });

    const numbered = SESSION.map(({ args, differs }, index) => ({ index, line: args.join(' '), differs }));
    it.each(numbered.filter(({ differs }) => differs === undefined))('says the same to: kubectl $line (command $index)', ({ index }) => {
      expect(development[index]).toEqual(real[index]);
    });

    it.each(numbered.filter(({ differs }) => differs !== undefined))('says something else to: kubectl $line ($differs)', ({ index }) => {
      expect(development[index]).not.toEqual(real[index]);
    });
  });
});
