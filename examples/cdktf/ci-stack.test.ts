import { Testing } from 'cdktf';
import { MacNodeLease, MacOSInstance } from 'macrack/cdktf';
import { CiStack } from './ci-stack.ts';

const synthesised = (macs: number): string => Testing.synth(new CiStack(Testing.app(), 'ci', { macs, onEarlyRelease: 'hold' }), true);

const hasLease = (json: string, properties: object): boolean => Testing.toHaveResourceWithProperties(json, MacNodeLease.tfResourceType, properties);

const countOf = (json: string, type: string): number =>
  Object.keys((JSON.parse(json) as { resource: Record<string, object> }).resource[type] ?? {}).length;

describe('the CI stack', () => {
  it('leases a Mac to sign on, and as many as are asked for to build on', () => {
    expect(countOf(synthesised(3), MacNodeLease.tfResourceType)).toBe(4);
    expect(countOf(synthesised(3), MacOSInstance.tfResourceType)).toBe(7);
  });

  it('calls the Macs so that a larger fleet keeps those that it has', () => {
    for (const macs of [1, 2]) expect(hasLease(synthesised(macs), { name: 'runner-0', class: 'base' })).toBe(true);
  });

  it('gives up no Mac early without saying so', () => {
    expect(hasLease(synthesised(1), { name: 'signing', on_early_release: 'hold' })).toBe(true);
  });

  it('cannot run a third virtual machine on the Mac that signs', () => {
    const third = (): void => {
      const stack = new CiStack(Testing.app(), 'ci', { macs: 0, onEarlyRelease: 'refuse' });
      const lease = stack.node.findAll().find((node) => node instanceof MacNodeLease)!;
      for (const name of ['second', 'third']) {
        new MacOSInstance(stack, name, { name, lease: lease.id, image: 'ghcr.io/acme/macos-sequoia:15.1', shape: { cpu: 2, memory: '4Gi', disk: '40Gi' } });
      }
      Testing.synth(stack, true);
    };
    expect(third).toThrow(/ThirdInstance: .*signing.* takes two instances/);
  });
});
