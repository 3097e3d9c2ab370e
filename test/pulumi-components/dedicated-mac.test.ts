import { ComponentResource, InputPropertiesError, interpolate, output, RunError } from '@pulumi/pulumi';
import { DedicatedMac, MacNodeLease, MacOSInstance } from '../../components/pulumi';
import { anything, mocked, refusalOf, VM } from './mocked';

const LEASE = 'pulumi-nodejs:dynamic/macrack:MacNodeLease';
const INSTANCE = 'pulumi-nodejs:dynamic/macrack:MacOSInstance';
const nameOf = ({ inputs }: { readonly inputs: Readonly<Record<string, unknown>> } = { inputs: {} }): unknown => inputs.name;

describe('a dedicated Mac', () => {
  it('is one lease, and an instance for each virtual machine, called after it', async () => {
    const made = await mocked(() => new DedicatedMac('ci', { class: 'base', serial: 'c02x', onEarlyRelease: 'hold', vms: [VM, { ...VM, name: 'second', running: false }] }));
    expect(Object.entries(made).map(([name, { type, parent }]) => [name, type, parent])).toEqual([
      ['ci', 'macrack:index:DedicatedMac', 'project-stack'], ['ci-lease', LEASE, 'ci'], ['ci-vm-0', INSTANCE, 'ci'], ['ci-vm-1', INSTANCE, 'ci'],
    ]);
    expect(made['ci-lease']?.inputs).toMatchObject({ name: 'ci', class: 'base', serial: 'c02x', onEarlyRelease: 'hold' });
    expect(made['ci-vm-0']?.inputs).toMatchObject({ name: 'ci-vm-0', lease: 'team-a/ci', image: VM.image, shape: VM.shape });
    expect(made['ci-vm-1']?.inputs).toMatchObject({ name: 'second', lease: 'team-a/ci', running: false });
  });

  it('may have no virtual machine, and another name on the control plane', async () => {
    const made = await mocked(() => new DedicatedMac('ci', { class: 'base', name: 'plain', vms: [] }));
    expect([Object.keys(made), nameOf(made['ci-lease'])]).toEqual([['ci', 'ci-lease'], 'plain']);
    const named = await mocked(() => new DedicatedMac('ci', { class: 'base', name: interpolate`built-${output('mac')}`, vms: [VM] }));
    expect([nameOf(named['ci-lease']), nameOf(named['ci-vm-0'])]).toEqual(['built-mac', 'built-mac-vm-0']);
  });

  it('hands its resources out', async () => {
    await mocked(() => {
      const { lease, instances } = new DedicatedMac('ci', { class: 'base', vms: [VM] });
      expect([lease instanceof MacNodeLease, instances.map((vm) => vm instanceof MacOSInstance)]).toEqual([true, [true]]);
    });
  });

  it('passes its options on: what it depends on, its protection; its children are deleted before they are replaced', async () => {
    const made = await mocked(() => {
      const parent = new ComponentResource('acme:index:Site', 'site');
      const first = new MacNodeLease('first', { class: 'base' });
      new DedicatedMac('ci', { class: 'base', vms: [VM] }, { parent, protect: true, dependsOn: first, aliases: [{ name: 'old' }] });
    });
    expect(made.ci).toMatchObject({ parent: 'site', protect: true, aliases: 1 });
    for (const child of ['ci-lease', 'ci-vm-0']) {
      expect(made[child]).toMatchObject({ parent: 'ci', protect: true, deleteBeforeReplace: true });
      expect(made[child]?.dependencies).toContain('first');
    }
  });
});

describe('a dedicated Mac refuses, before anything is registered,', () => {
  it('a third virtual machine: TypeScript does not compile it, and JavaScript gets the rule', async () => {
    // @ts-expect-error a Mac takes two
    const error = await refusalOf(() => new DedicatedMac('ci', { class: 'base', vms: [VM, VM, VM] }));
    expect(error.message).toMatch(/^ThirdInstance: lease team-a\/ci takes two instances\. .*refused: team-a\/ci-vm-0, team-a\/ci-vm-1, team-a\/ci-vm-2\. .*section 2B\(iii\).* from the program/);
    expect(error).toMatchObject({ errors: [{ propertyPath: 'vms', reason: error.message }] });
  });

  it('three of which two have one name', async () => {
    const error = await refusalOf(() => new DedicatedMac('ci', anything({ class: 'base', vms: [{ ...VM, name: 'a' }, { ...VM, name: 'a' }, VM] })), {});
    expect(error.message).toMatch(/^ThirdInstance: lease \(default namespace\)\/ci .*3 are asked for/);
  });

  it('fields that do not exist, in it and in its virtual machines, and what is no list of them: all at once', async () => {
    // @ts-expect-error there is no such field
    const typed = await refusalOf(() => new DedicatedMac('ci', { class: 'base', maxVms: 3, vms: [{ ...VM, lease: 'team-b/other' }] }));
    expect(typed.message.split('\n')).toEqual([
      expect.stringMatching(/^InvalidValue: DedicatedMac ci: DedicatedMac has no field "maxVms": there is no such field\. .*rule 1/),
      expect.stringMatching(/^InvalidValue: DedicatedMac ci: Vm has no field "vms\[0\]\.lease": there is no such field/),
    ]);
    expect((typed as InputPropertiesError).errors?.map(({ propertyPath }) => propertyPath)).toEqual(['maxVms', 'vms[0].lease']);
  });

  it.each([
    [undefined, 'vms is left out. vms is a list of at most two'],
    [VM, 'vms is an object. vms is a list'],
    [output([VM]), 'vms is an output. vms is a list'],
    [[null, VM], 'vms[0] is null. vms[0] is an object { name, image'],
    [[output(VM)], 'vms[0] is an output. vms[0] is an object'],
  ])('vms: %p', async (vms, sentence) => {
    expect((await refusalOf(() => new DedicatedMac('ci', anything({ class: 'base', vms })))).message).toContain(sentence);
  });

  it('no arguments at all', async () => {
    expect((await refusalOf(() => new DedicatedMac('ci', anything(undefined)))).message).toContain('vms is left out');
  });

  it('with an error that programs may catch by its kind, and that the runtime prints in one line', async () => {
    const error = await refusalOf(() => new DedicatedMac('ci', anything({ class: 'base' })));
    expect([InputPropertiesError.isInstance(error), RunError.isInstance(error), error.stack]).toEqual([true, true, `InputPropertiesError: ${error.message}`]);
  });
});
