import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { leaseObject } from '../../core/testing/scene';
import { declaredLease, programRun } from '../testing/program';
import { instanceProps, instanceUrn } from '../testing/provider-process';
import { Told } from '../testing/told';
import { Collector } from './collector';
import type { Declared } from './declaration';
import { whyWithheld } from './withheld';

let mockPlane: MemoryPlane;
jest.mock('../../../sdk/client/connect', () => ({ connect: () => Promise.resolve(mockPlane) }));
beforeEach(() => { mockPlane = new MemoryPlane(); });

const instance = (name: string): Declared => ({ kind: 'instance', urn: instanceUrn(name), props: () => ({ ...instanceProps(name), owner: undefined }) });

/** Why each lease of a program is not made, by its name. */
async function withheld(...program: readonly Declared[]): Promise<Record<string, string | undefined>> {
  const collector = new Collector(new Set(), new Set(), programRun(new Told(), { isDryRun: false }));
  await Promise.all(program.map((declared) => collector.declare(declared)));
  return Object.fromEntries(program.filter(({ kind }) => kind === 'lease').map((declared) => [String(declared.props().name), whyWithheld(declared)]));
}

const THREE = ['x', 'y', 'z'].map(instance);

describe('a new lease', () => {
  it('is not made for a third instance, nor beside one: the refusal is its own', async () => {
    const why = await withheld(declaredLease('l1'), declaredLease('other'), ...THREE);
    expect(why.l1).toMatch(/^ThirdInstance: lease team-a\/l1 is not made, since something else of the program is refused\. lease team-a\/l1 takes two instances\. /);
    expect(why.other).toMatch(/^ThirdInstance: lease team-a\/other is not made/);
  });

  it('that is at fault itself is left to its own check', async () => {
    const { short, fine } = await withheld(declaredLease('short', { minimumDuration: '1h' }), declaredLease('fine'));
    expect([short, fine]).toEqual([undefined, expect.stringMatching(/^FloorTooShort: lease team-a\/fine is not made/)]);
  });

  it('is not made either where it is declared after what is refused', async () => {
    const collector = new Collector(new Set(), new Set(), programRun(new Told(), { isDryRun: false }));
    const [short, late] = [declaredLease('short', { minimumDuration: '1h' }), declaredLease('late')];
    await collector.declare(short);
    await collector.declare(late);
    expect(whyWithheld(late)).toMatch(/^FloorTooShort: lease team-a\/late is not made/);
  });

  it('is made where nothing is refused', async () => {
    expect(await withheld(declaredLease('l1'), ...THREE.slice(1))).toEqual({ l1: undefined });
  });
});

describe('a lease that exists', () => {
  it('is not withheld: it is there, and its own check knows it', async () => {
    mockPlane.put(leaseObject('l1'));
    expect(await withheld(declaredLease('l1'), ...THREE)).toEqual({ l1: undefined });
  });

  it('and is Released is a new one', async () => {
    mockPlane.put(leaseObject('l1', { phase: 'Released' }));
    expect((await withheld(declaredLease('l1'), ...THREE)).l1).toMatch(/^ThirdInstance: /);
  });
});
