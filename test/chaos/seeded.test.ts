import { Seeded } from './seeded';
import { shrink } from './shrink';
import { history, type Step } from './steps';

describe('a history', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(history(7, 50, 'dev')).toEqual(history(7, 50, 'dev'));
    expect(history(7, 50, 'dev')).not.toEqual(history(8, 50, 'dev'));
  });

  it('moves no clock of a real plane, and kills no server of the development plane', () => {
    expect(history(1, 2000, 'real').filter(({ kind }) => kind === 'heartbeat' || kind === 'silence')).toEqual([]);
    expect(history(1, 2000, 'dev').filter(({ kind }) => kind === 'killEtcd' || kind === 'killApiServer')).toEqual([]);
  });

  it('chooses by weight', () => {
    const chance = new Seeded(1);
    const often = Array.from({ length: 4000 }, () => chance.choose({ rare: 1, common: 3 })).filter((kind) => kind === 'common').length;
    expect(often / 4000).toBeCloseTo(0.75, 1);
  });

  it('that fails is made shorter for as long as it fails', async () => {
    const steps = history(3, 40, 'dev');
    const [culprit, accomplice] = [steps[11], steps[30]] as [Step, Step];
    const fails = (rest: readonly Step[]): Promise<Error | undefined> => Promise.resolve(rest.includes(culprit) && rest.includes(accomplice) ? new Error('it fails') : undefined);
    expect((await shrink({ error: new Error('it fails'), steps }, fails, 200)).steps).toEqual([culprit, accomplice]);
  });
});
