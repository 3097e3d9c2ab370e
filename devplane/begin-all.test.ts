import { beginAll } from './begin-all';

describe('things that begin together', () => {
  const thing = (name: string, ended: string[]) => ({ name, stop: () => { ended.push(name); return Promise.resolve(); } });

  it('are ended with the rest, the last that began first', async () => {
    const ended: string[] = [];
    const ends = [() => { ended.push('plane'); return Promise.resolve(); }];
    const begun = await beginAll(['a', 'b'].map((name) => Promise.resolve(thing(name, ended))), ends);
    for (const end of ends) await end();
    expect([begun.map(({ name }) => name), ended]).toEqual([['a', 'b'], ['b', 'a', 'plane']]);
  });

  it('are ended too when one of them could not begin', async () => {
    const ended: string[] = [];
    const ends: (() => Promise<void>)[] = [];
    await expect(beginAll([Promise.reject(new Error('no disk')), Promise.resolve(thing('b', ended))], ends)).rejects.toThrow('no disk');
    for (const end of ends) await end();
    expect(ended).toEqual(['b']);
  });
});
