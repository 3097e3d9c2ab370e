import type { MacClass } from '../../sdk/api/kinds';
import { planInstanceDelete } from './instance-plan-delete';
import { planInstanceUpdate } from './instance-plan-update';
import { planLeaseCreate } from './lease-plan-create';
import { planLeaseUpdate } from './lease-plan-update';
import { readLease } from './lease-read';
import type { Walk } from './run';
import { fault } from '../../sdk/client/testing/memory/fault';
import { classObject, instanceDeclaration, instanceObject, leaseDeclaration, leaseObject, Scene, storedInstance, storedLease } from './testing/scene';

function tamperProof(status: 'True' | 'False' | undefined): MacClass {
  const made = classObject('base', 4);
  if (status === undefined) return made;
  return { ...made, status: { ...made.status, conditions: [{ type: 'TamperProof', status, reason: 'R', message: 'm', lastTransitionTime: '2026-11-29T10:00:00Z' }] } };
}

function scene(status: 'True' | 'False' | undefined, walk: Walk = 'preview'): Scene {
  const made = new Scene(undefined, walk);
  made.plane.put(tamperProof(status));
  made.plane.put(leaseObject('l1'));
  made.plane.put(instanceObject('vm1'));
  return made;
}

/** What a whole run says: it reads a lease, updates it, makes another, and changes and deletes an instance. */
async function wholeRun(s: Scene): Promise<string[]> {
  const read = await readLease(s.core, { namespace: 'team-a', name: 'l1', uid: 'uid-l1' });
  const update = await planLeaseUpdate(s.core, storedLease(), leaseDeclaration({ minimumDuration: '24h' }));
  const create = planLeaseCreate(s.core, s.call(), leaseDeclaration({ name: 'l2' }));
  await s.quiet();
  const instance = await planInstanceUpdate(s.core, storedInstance('vm1'), instanceDeclaration('vm1'));
  const gone = await planInstanceDelete(s.core, storedInstance('vm2'));
  return [...read.findings, ...update.findings, ...await create, ...instance.findings, ...gone].map(({ reason }) => reason);
}

describe('a preview on a control plane whose policies can be taken away', () => {
  it('says so once a run, as a warning that names what is at stake and the way out', async () => {
    const s = scene('False');
    const { findings } = await readLease(s.core, { namespace: 'team-a', name: 'l1', uid: 'uid-l1' });
    expect(findings).toMatchObject([{ severity: 'warning', reason: 'NotTamperProof', detail: expect.stringMatching(/TamperProof=False.*24 hours.*one tenant.*1\.37/) as string }]);
    expect((await wholeRun(scene('False'))).filter((reason) => reason === 'NotTamperProof')).toHaveLength(1);
  });

  it.each([['its first change is that of an instance', async (s: Scene) => (await planInstanceUpdate(s.core, storedInstance('vm1'), instanceDeclaration('vm1'))).findings],
    ['it only deletes', (s: Scene) => planInstanceDelete(s.core, storedInstance('vm1'))]])('says so where %s', async (_what, plan) => {
    expect((await plan(scene('False'))).map(({ reason }) => reason)).toEqual(['NotTamperProof']);
  });

  it('does not repeat it in the process that applies', async () => {
    const s = scene('False', 'apply');
    expect((await planLeaseUpdate(s.core, storedLease(), leaseDeclaration())).findings).toEqual([]);
  });
});

it.each(['True', undefined] as const)('a preview says nothing of it where the condition is %s', async (status) => {
  expect(await wholeRun(scene(status))).not.toContain('NotTamperProof');
});

it('a preview says nothing of it where classes may not be read', async () => {
  const s = scene('False');
  s.plane.refuse = (verb, plural) => (verb === 'list' && plural === 'macclasses' ? fault('Forbidden') : undefined);
  expect(await wholeRun(s)).not.toContain('NotTamperProof');
});
