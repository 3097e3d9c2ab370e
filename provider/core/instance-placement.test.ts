import { placeInstance } from './instance-placement';
import { Run } from './run';
import { Scene } from './testing/scene';

const place = async (isAlone: boolean) => {
  const s = new Scene();
  const core = { ...s.core, run: new Run(() => 'preview', 'ahead', () => isAlone) };
  const answer = placeInstance(core, s.call(), { namespace: 'team-a', name: 'vm' }, { namespace: 'team-a', name: 'elsewhere' });
  await s.quiet();
  return (await answer).verdict;
};

describe('a lease that nobody has', () => {
  it('is refused where this process declares all there is', async () => {
    expect((await place(true)).refusals).toMatchObject([{ reason: 'LeaseNotFound', path: 'lease' }]);
  });

  it('is not known where another process of the run may declare it', async () => {
    expect(await place(false)).toMatchObject({ refusals: [], undetermined: ['whether lease team-a/elsewhere exists'] });
  });
});
