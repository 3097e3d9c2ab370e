import { LIBRARIES, load } from './flavour';
import { anything, reasonsOf, refusedBySynth, SHAPE, stackIn, VM } from './stack';

describe.each(LIBRARIES)('with %s', (name) => {
  const flavour = load(name);
  const { library, macrack } = flavour;

  interface Synthesised { readonly resource: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>> }
  const rows = (stack: ReturnType<typeof stackIn>, type: string) => Object.values((JSON.parse(library.Testing.synth(stack)) as Synthesised).resource[type] ?? {});
  const leases = (stack: ReturnType<typeof stackIn>) => rows(stack, 'macrack_mac_node_lease');
  const instances = (stack: ReturnType<typeof stackIn>) => rows(stack, 'macrack_macos_instance');
  const paths = (stack: ReturnType<typeof stackIn>) => stack.node.findAll().map((node) => node.node.path);

  describe('a dedicated Mac', () => {
    it('is one lease, and an instance for each virtual machine, called after it', () => {
      const stack = stackIn(flavour);
      const mac = new macrack.DedicatedMac(stack, 'ci', { class: 'base', serial: 'c02x', onEarlyRelease: 'hold', vms: [VM, { ...VM, name: 'second', running: false }] });
      expect(paths(stack)).toEqual(['stack', 'stack/macrack', 'stack/ci', 'stack/ci/lease', 'stack/ci/vm-0', 'stack/ci/vm-1']);
      expect(leases(stack)).toEqual([{ name: 'ci', class: 'base', serial: 'c02x', on_early_release: 'hold' }]);
      const lease = expect.stringMatching(/^\$\{macrack_mac_node_lease\.ci_lease_\w+\.id\}$/) as unknown;
      expect(instances(stack)).toEqual([{ name: 'ci-vm-0', lease, image: VM.image, shape: SHAPE }, { name: 'second', lease, image: VM.image, shape: SHAPE, running: false }]);
      expect([mac.lease.nameInput, ...mac.instances.map((vm) => vm.nameInput)]).toEqual(['ci', 'ci-vm-0', 'second']);
    });

    it('may have no virtual machine', () => {
      const stack = stackIn(flavour);
      new macrack.DedicatedMac(stack, 'ci', { class: 'base', name: 'plain', vms: [] });
      expect([leases(stack), instances(stack), refusedBySynth(stack)]).toEqual([[{ name: 'plain', class: 'base' }], [], []]);
    });

    it('takes no third: TypeScript does not compile it, and a synth refuses what JavaScript hands over', () => {
      const stack = stackIn(flavour);
      // @ts-expect-error a Mac takes two
      new macrack.DedicatedMac(stack, 'ci', { class: 'base', vms: [VM, VM, VM] });
      const [line, ...others] = refusedBySynth(stack);
      expect(line).toMatch(/^\[stack\] ThirdInstance: lease team-a\/ci takes two instances\. .*refused: team-a\/ci-vm-0, team-a\/ci-vm-1, team-a\/ci-vm-2\. .*section 2B\(iii\)/);
      expect(others).toEqual([]);
    });

    it('counts an instance that is added to its lease by hand', () => {
      const stack = stackIn(flavour);
      const mac = new macrack.DedicatedMac(stack, 'ci', { class: 'base', vms: [VM, VM] });
      new macrack.MacOSInstance(stack, 'third', { name: 'third', lease: mac.lease.id, ...VM });
      expect(reasonsOf(refusedBySynth(stack))).toEqual(['[stack] ThirdInstance']);
    });

    it('has no other fields, nor have its virtual machines', () => {
      const stack = stackIn(flavour);
      // @ts-expect-error there is no such field
      new macrack.DedicatedMac(stack, 'ci', { class: 'base', maxVMs: 3, vms: [{ ...VM, lease: 'team-b/other' }] });
      new macrack.DedicatedMac(stack, 'js', anything({ class: 'base', count: 3 }));
      expect(refusedBySynth(stack)).toEqual([
        expect.stringMatching(/^\[stack\/ci\] InvalidValue: DedicatedMac has no field "maxVMs": there is no such field\. .*rule 1/),
        expect.stringMatching(/^\[stack\/ci\] InvalidValue: Vm has no field "vms\[0\]\.lease": there is no such field/),
        expect.stringMatching(/^\[stack\/js\] InvalidValue: DedicatedMac has no field "count"/),
        expect.stringMatching(/^\[stack\/js\] InvalidValue: vms is left out\. vms is a list of at most two virtual machines/),
      ]);
    });

    it.each([
      ['nothing', undefined, ['[stack/ci] InvalidValue', '[stack/ci/lease] InvalidValue']],
      ['a text', 'base', ['[stack/ci] InvalidValue', '[stack/ci/lease] InvalidValue']],
      ['a list with nothing in it', { class: 'base', vms: [null] }, ['[stack/ci/vm-0] InvalidValue', '[stack/ci/vm-0] InvalidValue']],
    ])('made of %s is refused, not a crash', (_what, props, reasons) => {
      const stack = stackIn(flavour);
      new macrack.DedicatedMac(stack, 'ci', anything(props));
      expect(reasonsOf(refusedBySynth(stack))).toEqual(reasons);
    });

    it('refuses sizes beyond a chassis where its size is given, and takes those that fill it', () => {
      const sized = (cpu: number) => {
        const stack = stackIn(flavour);
        new macrack.DedicatedMac(stack, 'ci', { class: 'base', chassis: { cpu: 8, memory: '16Gi', disk: '256Gi' }, vms: [VM, { ...VM, shape: { ...SHAPE, cpu } }] });
        return refusedBySynth(stack);
      };
      expect(sized(5)).toEqual([expect.stringMatching(/^\[stack\/ci\] ShapeTooLarge: .*9 cores of cpu together, and a chassis of class base has 8 cores/)]);
      expect(sized(4)).toEqual([]);
    });
  });

  describe('a fleet', () => {
    it('is that many Macs with names that stay when it grows', () => {
      const named = (count: number) => {
        const stack = stackIn(flavour);
        new macrack.MacFleet(stack, 'ci', { class: 'pro', count, vms: [VM, VM] });
        return { paths: paths(stack), names: [...leases(stack), ...instances(stack)].map(({ name: written }) => written), refused: refusedBySynth(stack) };
      };
      const [two, three] = [named(2), named(3)];
      expect(two.names).toEqual(['ci-0', 'ci-1', 'ci-0-vm-0', 'ci-0-vm-1', 'ci-1-vm-0', 'ci-1-vm-1']);
      expect(two.paths).toContain('stack/ci/mac-1/vm-0');
      expect(three.names).toEqual(expect.arrayContaining(two.names));
      expect([two.refused, three.refused]).toEqual([[], []]);
    });

    it('may have other virtual machines on each Mac', () => {
      const stack = stackIn(flavour);
      const fleet = new macrack.MacFleet(stack, 'ci', { class: 'base', count: 3, name: 'build', vms: (mac) => (mac === 0 ? [] : mac === 1 ? [VM] : [VM, VM]) });
      expect(fleet.macs.map((mac) => mac.instances.map((vm) => vm.nameInput))).toEqual([[], ['build-1-vm-0'], ['build-2-vm-0', 'build-2-vm-1']]);
    });

    it('takes no third on any of its Macs', () => {
      const stack = stackIn(flavour);
      // @ts-expect-error a Mac takes two
      new macrack.MacFleet(stack, 'ci', { class: 'base', count: 2, vms: [VM, VM, VM] });
      expect(reasonsOf(refusedBySynth(stack))).toEqual(['[stack] ThirdInstance', '[stack] ThirdInstance']);
    });

    it.each([[1.5], [-1], ['3'], [undefined], [100_000]])('of %p Macs is refused', (count) => {
      const stack = stackIn(flavour);
      new macrack.MacFleet(stack, 'ci', { class: 'base', count: anything(count), vms: [] });
      expect(refusedBySynth(stack)).toEqual([expect.stringMatching(/^\[stack\/ci\] InvalidValue: count is .*a whole number of Macs from 0 to 1000 that is known at synth/)]);
    });

    it('made of nothing is refused, not a crash', () => {
      const stack = stackIn(flavour);
      new macrack.MacFleet(stack, 'ci', anything(undefined));
      expect(refusedBySynth(stack)).toEqual([expect.stringMatching(/^\[stack\/ci\] InvalidValue: count is left out/)]);
    });

    it('has no other fields', () => {
      const stack = stackIn(flavour);
      // @ts-expect-error a serial is of one Mac
      new macrack.MacFleet(stack, 'ci', { class: 'base', count: 2, vms: [], serial: 'c02x' });
      expect(refusedBySynth(stack)).toEqual([expect.stringMatching(/^\[stack\/ci\] InvalidValue: MacFleet has no field "serial": there is no such field/)]);
    });
  });
});
