import type { TerraformStack } from 'cdktf';
import { LIBRARIES, load } from './flavour';
import { IMAGE, reasonsOf, refusedBySynth, refusedInScope, SHAPE, stackIn, VM } from './stack';

describe.each(LIBRARIES)('a synth of %s', (name) => {
  const flavour = load(name);
  const { library, macrack } = flavour;

  function lease(stack: TerraformStack, id: string, config: object = {}) {
    return new macrack.MacNodeLease(stack, id, { name: id, class: 'base', ...config });
  }

  function instances(stack: TerraformStack, on: string, ...names: readonly string[]) {
    return names.map((id) => new macrack.MacOSInstance(stack, id, { name: id, lease: on, ...VM }));
  }

  /** Both ways to synthesise say the same. */
  function refused(declare: (stack: TerraformStack) => void): string[] {
    const stack = stackIn(flavour);
    declare(stack);
    const lines = refusedBySynth(stack);
    expect(refusedInScope(flavour, declare).sort()).toEqual([...lines].sort());
    return lines;
  }

  it('takes a lease with two instances', () => {
    expect(refused((stack) => { instances(stack, lease(stack, 'ci').id, 'a', 'b'); })).toEqual([]);
  });

  it('refuses three instances that refer to one lease, and names each', () => {
    const [line, ...others] = refused((stack) => { instances(stack, lease(stack, 'ci').id, 'a', 'b', 'c'); });
    expect(line).toMatch(/^\[stack\] ThirdInstance: lease team-a\/ci takes two instances\. .*3 are asked for\. .*refused: team-a\/a, team-a\/b, team-a\/c\. .*section 2B\(iii\)/);
    expect(others).toEqual([]);
  });

  it('refuses three instances of one lease whether they refer to it or name it', () => {
    expect(reasonsOf(refused((stack) => {
      instances(stack, lease(stack, 'ci').id, 'a', 'b');
      instances(stack, 'team-a/ci', 'c');
    }))).toEqual(['[stack] ThirdInstance']);
    expect(reasonsOf(refused((stack) => { instances(stack, 'team-a/elsewhere', 'a', 'b', 'c'); }))).toEqual(['[stack] ThirdInstance']);
  });

  it('refuses three instances of a lease that a data source looks up', () => {
    expect(reasonsOf(refused((stack) => { instances(stack, new macrack.DataMacrackMacNodeLease(stack, 'found', { name: 'ci' }).id, 'a', 'b', 'c'); }))).toEqual(['[stack] ThirdInstance']);
  });

  it('counts a literal `count` as that many', () => {
    const counted = (count: number) => refused((stack) => { new macrack.MacOSInstance(stack, 'vm', { name: 'vm-${count.index}', lease: lease(stack, 'ci').id, count, ...VM }); });
    expect(counted(2)).toEqual([]);
    expect(reasonsOf(counted(3))).toEqual(['[stack] ThirdInstance']);
  });

  it('counts the instances of another stack that refer to the lease', () => {
    const stack = stackIn(flavour);
    const other = new library.TerraformStack(stack.node.root, 'other');
    new macrack.MacrackProvider(other, 'macrack', { namespace: 'team-a' });
    const { id } = lease(stack, 'ci');
    instances(stack, id, 'a', 'b');
    instances(other, id, 'c');
    expect(reasonsOf(refusedBySynth(stack))).toEqual(['[stack] ThirdInstance']);
  });

  it('leaves to the plan what only the plan knows', () => {
    expect(refused((stack) => {
      const variable = new library.TerraformVariable(stack, 'v', {});
      const text = variable.stringValue;
      lease(stack, 'ci', { name: text, class: text, serial: text, minimumDuration: text, namespace: text, onEarlyRelease: text });
      lease(stack, 'raw', { minimumDuration: '${var.hours}h' });
      const shape = { cpu: variable.numberValue, memory: text, disk: text };
      for (const id of ['a', 'b', 'c']) new macrack.MacOSInstance(stack, id, { name: text, lease: text, image: text, shape });
      new macrack.MacOSInstance(stack, 'd', { name: 'd', lease: `team-a/${text}`, image: IMAGE, shape: SHAPE });
    })).toEqual([]);
  });

  it('refuses an instance in another namespace than its lease', () => {
    const [line, ...others] = refused((stack) => {
      new macrack.MacOSInstance(stack, 'spy', { name: 'spy', namespace: 'team-b', lease: lease(stack, 'ci').id, ...VM });
    });
    expect(line).toMatch(/^\[stack\] CrossTenant: instance team-b\/spy asks for the Mac of another tenant\. .*section 3A\(iii\)/);
    expect(others).toEqual([]);
  });

  it('does not count an instance of another tenant among the slots', () => {
    expect(reasonsOf(refused((stack) => {
      const { id } = lease(stack, 'ci');
      instances(stack, id, 'a', 'b');
      new macrack.MacOSInstance(stack, 'spy', { name: 'spy', namespace: 'team-b', lease: id, ...VM });
    }))).toEqual(['[stack] CrossTenant']);
  });

  it('refuses a serial that two tenants pin, in either case', () => {
    const [line, ...others] = refused((stack) => {
      lease(stack, 'ours', { serial: 'C02XL0GYJGH5' });
      lease(stack, 'theirs', { serial: 'c02xl0gyjgh5', namespace: 'team-b' });
    });
    expect(line).toMatch(/^\[stack\] SerialUnavailable: .*team-b\/theirs.*another lease of this configuration, team-a\/ours, pins the same serial\. .*section 3A\(iii\)/);
    expect(others).toEqual([]);
  });

  it('refuses a floor under 24 hours', () => {
    expect(refused((stack) => { lease(stack, 'ci', { minimumDuration: '23h' }); })).toEqual([
      expect.stringMatching(/^\[stack\/ci\] FloorTooShort: .*minimum duration of 23h.*section 3A\(ii\).*Use 24h or more/),
    ]);
    expect(refused((stack) => { lease(stack, 'ci', { minimumDuration: '24h' }); })).toEqual([]);
  });

  it('refuses two resources of one name', () => {
    expect(reasonsOf(refused((stack) => {
      lease(stack, 'ci');
      new macrack.MacNodeLease(stack, 'again', { name: 'ci', class: 'base' });
    }))).toEqual(['[stack] AlreadyExists']);
  });

  it('lists every refusal in one error', () => {
    expect(reasonsOf(refused((stack) => {
      const { id } = lease(stack, 'ci', { minimumDuration: '1h', serial: 'c02x' });
      lease(stack, 'X', { serial: 'c02x' });
      instances(stack, id, 'a', 'b', 'c');
      new macrack.MacOSInstance(stack, 'spy', { name: 'spy', namespace: 'team-b', lease: id, ...VM });
    })).sort()).toEqual(['[stack/X] InvalidValue', '[stack/ci] FloorTooShort', '[stack] CrossTenant', '[stack] SerialUnavailable', '[stack] ThirdInstance'].sort());
  });

  it('sees what is set after a construct was made', () => {
    const stack = stackIn(flavour);
    const made = lease(stack, 'ci');
    const [vm] = instances(stack, made.id, 'a');
    made.minimumDuration = '1h';
    if (vm !== undefined) vm.shape.cpu = 0.5;
    expect(reasonsOf(refusedBySynth(stack))).toEqual(['[stack/ci] FloorTooShort', '[stack/a] InvalidValue']);
    made.resetMinimumDuration();
    vm?.putShape(SHAPE);
    expect(refusedBySynth(stack)).toEqual([]);
  });

  it('does not judge what was taken out of the app again', () => {
    const stack = stackIn(flavour);
    instances(stack, lease(stack, 'ci').id, 'a', 'b', 'c');
    lease(stack, 'X');
    stack.node.tryRemoveChild('c');
    stack.node.tryRemoveChild('X');
    expect(refusedBySynth(stack)).toEqual([]);
    expect(() => library.Testing.synth(stack)).not.toThrow();
  });

  it('cannot be told to skip the rules', () => {
    const app = new library.App({ skipValidation: true, outdir: library.Testing.app().outdir });
    const stack = new library.TerraformStack(app, 'stack');
    new macrack.MacrackProvider(stack, 'macrack');
    lease(stack, 'ci', { minimumDuration: '1h' });
    expect(reasonsOf(refusedBySynth(stack))).toEqual(['[stack/ci] FloorTooShort']);
  });

  it('is refused as HCL too', () => {
    const stack = stackIn(flavour);
    lease(stack, 'ci', { minimumDuration: '1h' });
    expect(() => { library.Testing.synthHcl(stack); }).toThrow('FloorTooShort');
  });
});
