import { interpolate, output, RunError } from '@pulumi/pulumi';
import { DedicatedMac, MacNodeLease, MacOSInstance } from '../../components/pulumi';
import { anything, mocked, refusalOf, VM } from './mocked';

const three = (lease: (name: string) => MacNodeLease | string) => () => {
  const on = lease('ci');
  for (const name of ['a', 'b', 'c']) new MacOSInstance(name, { ...VM, name, lease: on });
};

describe('a program in its unit tests', () => {
  it('runs without a server, and its outputs are what the mocks say', async () => {
    let seen: unknown;
    await mocked(async () => {
      const lease = new MacNodeLease('ci', { class: 'base' });
      const vm = new MacOSInstance('vm', { ...VM, lease });
      seen = await new Promise((resolve) => output([lease.leaseId, lease.namespace, lease.phase, vm.lease, vm.name]).apply(resolve));
    });
    expect(seen).toEqual(['team-a/ci', 'team-a', undefined, 'team-a/ci', 'vm']);
  });

  it('lives in the namespace "default" where its configuration names none', async () => {
    const made = await mocked(() => new MacNodeLease('ci', { class: 'base' }), {});
    expect(made.ci?.inputs.leaseId).toBe('default/ci');
  });

  it('may read what others keep', async () => {
    await mocked(() => {
      MacOSInstance.get('vm', 'team-a/vm');
      new MacOSInstance('mine', { ...VM, lease: MacNodeLease.get('theirs', 'team-a/ci') });
    });
  });

  it('is not judged by what outputs bring', async () => {
    await mocked(() => {
      const lease = new MacNodeLease('ci', { class: 'base', name: interpolate`${output('ci')}` });
      for (const name of ['a', 'b', 'c']) new MacOSInstance(name, { ...VM, name: output(name), lease });
    });
  });

  it('starts anew with every setMocks', async () => {
    const declare = () => new MacOSInstance('vm', { ...VM, lease: 'team-a/ci' });
    await mocked(declare);
    await mocked(declare);
  });
});

describe('the unit tests of a program meet the rules:', () => {
  it.each([
    ['a third instance on a lease object', three((name) => new MacNodeLease(name, { class: 'base' })), /^ThirdInstance: lease team-a\/ci takes two instances\. .*team-a\/a, team-a\/b, team-a\/c/],
    ['a third instance on a lease by name', three((name) => `team-a/${name}`), /^ThirdInstance: lease team-a\/ci/],
    ['an instance beside a dedicated Mac', () => new MacOSInstance('third', { ...VM, lease: new DedicatedMac('ci', { class: 'base', vms: [VM, VM] }).lease }), /^ThirdInstance: .*team-a\/ci-vm-0, team-a\/ci-vm-1, team-a\/third/],
    ['the Mac of another tenant', () => new MacOSInstance('vm', { ...VM, namespace: 'team-b', lease: 'team-a/ci' }), /^CrossTenant: instance team-b\/vm/],
    ['a Mac that is pinned twice', () => ['a', 'b'].map((name) => new MacNodeLease(name, { class: 'base', serial: name === 'a' ? 'c02x' : 'C02X' })), /^SerialUnavailable: .*team-a\/a/],
    ['a floor below 24 hours', () => new MacNodeLease('ci', { class: 'base', minimumDuration: '3h' }), /^FloorTooShort: the floor of lease ci/],
    ['two leases of one name', () => ['x', 'y'].map((name) => new MacNodeLease(name, { class: 'base', name: 'ci' })), /^AlreadyExists: two resources of this program have the name team-a\/ci/],
    ['two instances of one name', () => ['x', 'y'].map((name) => new MacOSInstance(name, { ...VM, name: 'vm', lease: 'team-a/ci' })), /^AlreadyExists: two resources of this program have the name team-a\/vm/],
    ['a field that does not exist', () => new MacNodeLease('ci', anything({ class: 'base', maxVms: 3 })), /^InvalidValue: MacNodeLease has no field "maxVms".*no such field/],
    ['a class that does not exist', () => new MacNodeLease('ci', anything({ class: 'ultra' })), /^InvalidValue: there is no class "ultra"/],
    ['no class', () => new MacNodeLease('ci', anything({})), /^InvalidValue: MacNodeLease needs class/],
    ['no arguments', () => new MacOSInstance('vm', anything({})), /^InvalidValue: MacOSInstance needs lease.*\n.*needs image.*\n.*needs shape/s],
  ])('%s', async (_what, program, text) => {
    const error = await refusalOf(program);
    expect(error.message).toMatch(text);
    expect([RunError.isInstance(error), error.stack]).toEqual([true, `Error: ${error.message}`]);
  });
});
