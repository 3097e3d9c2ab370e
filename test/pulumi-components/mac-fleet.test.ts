import { InputPropertiesError, output } from '@pulumi/pulumi';
import { MacFleet, MacNodeLease, type Vms } from '../../components/pulumi';
import { anything, mocked, refusalOf, VM } from './mocked';

describe('a fleet', () => {
  it('is as many dedicated Macs, each with its virtual machines', async () => {
    const made = await mocked(() => new MacFleet('ci', { class: 'base', name: 'build', count: 2, minimumDuration: '48h', vms: [VM, VM] }));
    expect(Object.entries(made).map(([name, { parent, inputs }]) => [name, parent, inputs.name])).toEqual([
      ['ci', 'project-stack', undefined], ['ci-0', 'ci', undefined], ['ci-1', 'ci', undefined],
      ['ci-0-lease', 'ci-0', 'build-0'], ['ci-1-lease', 'ci-1', 'build-1'],
      ['ci-0-vm-0', 'ci-0', 'build-0-vm-0'], ['ci-0-vm-1', 'ci-0', 'build-0-vm-1'], ['ci-1-vm-0', 'ci-1', 'build-1-vm-0'], ['ci-1-vm-1', 'ci-1', 'build-1-vm-1'],
    ]);
    expect(made['ci-1-lease']?.inputs).toMatchObject({ class: 'base', minimumDuration: '48h' });
    expect(made['ci-1-vm-0']?.inputs.lease).toBe('team-a/build-1');
  });

  it('takes the virtual machines of each Mac from a function', async () => {
    const vms = (mac: number): Vms => (mac === 0 ? [] : [{ ...VM, name: `runner-${mac}` }]);
    const made = await mocked(() => {
      const { macs } = new MacFleet('ci', { class: 'base', count: 2, vms });
      expect(macs.map(({ instances }) => instances.length)).toEqual([0, 1]);
    });
    expect([made['ci-1-vm-0']?.inputs.name, made['ci-0-vm-0']]).toEqual(['runner-1', undefined]);
  });

  it('keeps the Macs that it has when it grows', async () => {
    const [two, three] = [await mocked(() => new MacFleet('ci', { class: 'base', count: 2, vms: [] })), await mocked(() => new MacFleet('ci', { class: 'base', count: 3, vms: [] }))];
    expect(Object.keys(three).filter((name) => !(name in two))).toEqual(['ci-2', 'ci-2-lease']);
  });

  it('may be empty', async () => {
    expect(Object.keys(await mocked(() => new MacFleet('ci', { class: 'base', count: 0, vms: [VM] })))).toEqual(['ci']);
  });

  it('passes its options on to every Mac and its children', async () => {
    const made = await mocked(() => {
      new MacFleet('ci', { class: 'base', count: 1, vms: [VM] }, { protect: true, dependsOn: [new MacNodeLease('first', { class: 'base' })] });
    });
    for (const each of ['ci', 'ci-0', 'ci-0-lease', 'ci-0-vm-0']) {
      expect(made[each]?.protect).toBe(true);
      expect(made[each]?.dependencies).toContain('first');
    }
  });
});

describe('a fleet refuses, before anything is registered,', () => {
  it.each([
    [undefined, 'count is left out'], [-1, 'count is -1'], [1.5, 'count is 1.5'], [1001, 'count is 1001'], [NaN, 'count is NaN'], ['2', 'count is "2"'], [output(2), 'count is an output'],
  ])('count: %p', async (count, sentence) => {
    const error = await refusalOf(() => new MacFleet('ci', anything({ class: 'base', count, vms: [] })));
    expect(error.message).toContain(`InvalidValue: MacFleet ci: ${sentence}. count is a whole number of Macs from 0 to 1000`);
  });

  it('a name that nobody knows before the run', async () => {
    expect((await refusalOf(() => new MacFleet('ci', anything({ class: 'base', count: 1, name: output('x'), vms: [] })))).message).toContain('name is an output. name is a text');
  });

  it('a third virtual machine, once for all Macs that share the list', async () => {
    // @ts-expect-error a Mac takes two
    const shared = await refusalOf(() => new MacFleet('ci', { class: 'base', count: 3, vms: [VM, VM, VM] }));
    expect(shared.message.match(/ThirdInstance/g)).toHaveLength(1);
  });

  it('everything that is wrong with any of its Macs', async () => {
    const vms = (mac: number): unknown => (mac === 0 ? [VM] : mac === 1 ? [VM, VM, VM] : [{ ...VM, gpu: 1 }]);
    const error = await refusalOf(() => new MacFleet('ci', anything({ class: 'base', count: 3, serial: 'c02x', vms })));
    expect(error.message.split('\n')).toEqual([
      expect.stringMatching(/^InvalidValue: MacFleet ci: MacFleet has no field "serial"/),
      expect.stringMatching(/^ThirdInstance: lease team-a\/ci-1 takes two instances/),
      expect.stringMatching(/^InvalidValue: DedicatedMac ci-2: Vm has no field "vms\[0\]\.gpu"/),
    ]);
    expect(InputPropertiesError.isInstance(error)).toBe(true);
  });
});
