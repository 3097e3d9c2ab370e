import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MUTANTS } from '../mutation/mutants';

const root = resolve(__dirname, '..', '..');

// The run that applies them takes minutes; what it cannot apply is seen here.
describe('the stops that the mutation run takes away', () => {
  it('stand once each in their files', () => {
    const places = MUTANTS.map(({ gone, mutation: { file, replace } }) => ({ gone, places: readFileSync(join(root, file), 'utf8').split(replace).length - 1 }));
    expect(places.filter((each) => each.places !== 1)).toEqual([]);
  });

  it('have a name each', () => {
    expect(new Set(MUTANTS.map(({ gone }) => gone)).size).toBe(MUTANTS.length);
  });
});
