import { Annotation } from '../../sdk/api/names';
import { UNKNOWN } from '../../sdk/rules/unknown';
import type { Findings } from './finding';
import { planLeaseCreate } from './lease-plan-create';
import { planLeaseDelete } from './lease-plan-delete';
import { planLeaseUpdate } from './lease-plan-update';
import { readLease } from './lease-read';
import { fault } from '../../sdk/client/testing/memory/fault';
import { MemoryPlane } from '../../sdk/client/testing/memory/memory-plane';
import { classObject, HOUR, leaseDeclaration, leaseObject, Scene, storedLease } from './testing/scene';
import type { LeaseDeclaration } from './lease';

const reasons = (findings: Findings): string[] => findings.map((f) => `${f.severity} ${f.reason}`);
const errors = (findings: Findings): string[] => findings.filter((f) => f.severity === 'error').map((f) => f.reason);

function scene(...leases: readonly Parameters<typeof leaseObject>[]): Scene {
  const made = new Scene();
  made.plane.put(classObject('base', 4));
  made.plane.put(classObject('pro', 0));
  for (const lease of leases) made.plane.put(leaseObject(...lease));
  return made;
}

async function create(s: Scene, over: Partial<LeaseDeclaration> = {}): Promise<Findings> {
  const answer = planLeaseCreate(s.core, s.call(), leaseDeclaration(over));
  await s.quiet();
  return answer;
}

const refresh = (s: Scene) => readLease(s.core, { namespace: 'team-a', name: 'l1', uid: 'uid-l1' });

describe('a new lease at plan', () => {
  it('says once what all new leases of the run cost, after the last of them was declared', async () => {
    const s = scene();
    const answers = ['l1', 'l2', 'l3'].map((name) => planLeaseCreate(s.core, s.call(), leaseDeclaration({ name })));
    await s.quiet();
    const said = (await Promise.all(answers)).flat();
    expect(reasons(said)).toEqual(['warning NewLeases']);
    expect(said[0]?.title).toBe('3 new leases, at least 24h each, cannot be undone');
    expect(said[0]?.detail).toMatch(/Wanted: 3 of class base \(\d+ free now\)\.$/);
  });

  it('warns when no Mac is free, with how many are wanted and how many there are', async () => {
    const found = await create(scene(), { class: 'pro' });
    expect(reasons(found)).toEqual(['warning NewLeases', 'warning NoCapacity']);
    expect(found[1]).toMatchObject({ path: 'class' });
    expect(found[1]?.detail).toContain('1 of class pro wanted, 0 free now');
  });

  it('is told when the next Mac of its class may come free, where the class says so', async () => {
    const s = scene();
    const pro = classObject('pro', 0);
    s.plane.put({ ...pro, status: { ...pro.status, nextReleaseAt: '2026-11-30T13:00:00Z' } });
    const found = await create(s, { class: 'pro' });
    for (const { detail } of found) expect(detail).toMatch(/0 free now, (and )?the next may come free at 2026-11-30T13:00:00Z/);
  });

  it('is refused under the name of a Held lease, and adopts it with adopt', async () => {
    const held = ['l1', { phase: 'Held' as const }, { release: true }] as const;
    expect(errors(await create(scene([...held])))).toEqual(['NameHeld']);
    expect(reasons(await create(scene([...held]), { adopt: true }))).toEqual(['warning Held', 'warning Adopts']);
    expect(errors(await create(scene([...held]), { adopt: true, class: 'pro' }))).toEqual(['NameHeld']);
    expect(errors(await create(scene(['l1', { phase: 'Held' }, { deleted: true }]), { adopt: true }))).toEqual(['NameHeld']);
  });

  it('is refused when it exists and is not in the state, with the id to import; adopt takes it over', async () => {
    for (const phase of ['Pending', 'Binding', 'Bound'] as const) {
      expect(await create(scene(['l1', { phase }]))).toMatchObject([{ reason: 'AlreadyExists', adoptable: { kind: 'lease', id: 'team-a/l1' } }]);
    }
    expect(reasons(await create(scene(['l1']), { adopt: true }))).toEqual(['warning Adopts']);
    expect(errors(await create(scene(['l1']), { adopt: true, class: 'pro' }))).toEqual(['LeaseImmutable']);
    expect(errors(await create(scene(['l1', {}, { minimumDuration: '48h' }]), { adopt: true }))).toEqual(['LeaseImmutable']);
  });

  it('takes the name of a Released one', async () => {
    expect(errors(await create(scene(['l1', { phase: 'Released' }])))).toEqual([]);
  });

  it('that is in the state is a replacement nobody wrote: EarlyRelease before the floor, allowed after it', async () => {
    const s = scene(['l1']);
    await refresh(s);
    expect(errors(await create(s))).toEqual(['EarlyRelease']);
    const later = scene(['l1']);
    later.plane.advance(24 * HOUR);
    await refresh(later);
    expect(errors(await create(later))).toEqual([]);
  });

  it('may pin a Mac once in a run: the other lease of the configuration is named', async () => {
    const s = scene();
    await create(s, { serial: 'C02ABC' });
    const [refusal] = await create(s, { name: 'l2', serial: 'c02abc' });
    expect(refusal).toMatchObject({ severity: 'error', reason: 'SerialUnavailable', path: 'serial' });
    expect(refusal?.detail).toBe('Mac c02abc is not available to lease: another lease of this configuration, team-a/l1, pins the same serial. '
      + 'A Mac serves one lease at a time (licence, section 3A(iii)), for as long as that lasts. Pin another serial in one of the two, or leave serial unset and let the operator choose.');
  });

  it('may not pin a Mac that another lease has: one that stays in the configuration is named', async () => {
    expect(errors(await create(scene(['l1']), { name: 'l2', serial: 'C02XYZ' }))).toEqual(['SerialUnavailable']);
    const s = scene(['l1']);
    await planLeaseUpdate(s.core, storedLease({ chassis: 'c02xyz' }), leaseDeclaration());
    expect((await create(s, { name: 'l2', serial: 'C02XYZ' }))[0]?.detail).toContain('another lease of this configuration, team-a/l1, has that Mac or pins it.');
  });

  it('is refused by a dry run for a Mac that is not available, in the words of the control plane', async () => {
    const s = scene();
    s.plane.refuse = (verb) => (verb === 'dry-run' ? fault('Conflict', 'no', [{ reason: 'SerialUnavailable', message: 'Mac c02abc is not available to lease.' }]) : undefined);
    expect(await create(s, { serial: 'c02abc' })).toMatchObject([{ reason: 'SerialUnavailable', path: 'serial', detail: 'Mac c02abc is not available to lease. Nothing was written.' }]);
  });

  it('is refused in a namespace that does not exist', async () => {
    const s = scene();
    s.plane.refuse = (verb) => (verb === 'dry-run' ? fault('NotFound', 'namespaces "team-a" not found') : undefined);
    expect(await create(s)).toMatchObject([{ reason: 'NamespaceNotFound', path: 'namespace' }]);
  });

  it('of a name that is not known yet is not checked, and never allowed by default', async () => {
    expect(reasons(await create(scene(), { name: UNKNOWN }))).toEqual(['warning NotChecked']);
  });

  it('of a namespace that is not known yet is not checked, and is called by its name', async () => {
    expect(await create(scene(), { namespace: UNKNOWN })).toMatchObject([{
      reason: 'NotChecked', path: 'namespace', title: 'lease l1 of a namespace that is not known yet',
      detail: expect.stringContaining('Not known yet: its namespace, and with it whether the name is free and the Mac available.') as string,
    }]);
  });

  it('warns of Held leases of its namespace once a run, and not at apply', async () => {
    const s = scene(['old', { phase: 'Held' }]);
    const first = await create(s);
    expect(reasons(first)).toEqual(['warning Held', 'warning NewLeases']);
    expect(first[0]?.detail).toContain('Held and billed: team-a/old (Mac c02xyz) until 2026-11-30T10:00:00Z, 24h 00m more');
    expect(reasons(await create(s, { name: 'l2' }))).toEqual([]);
    const apply = scene(['old', { phase: 'Held' }]);
    apply.core.run.markApplying();
    expect(await create(apply)).toEqual([]);
  });
});

describe('what cannot be asked', () => {
  const down = (): Scene => {
    const s = scene();
    s.plane.refuse = () => fault('Unreachable', 'connection refused');
    return s;
  };

  it('is said once, and asked once', async () => {
    const s = down();
    expect(reasons(await create(s))).toContain('warning NotChecked');
    await create(s, { name: 'l2' });
    expect(s.plane.requests.length).toBeLessThanOrEqual(2);
    expect((await refresh(s)).kind).toBe('unread');
  });

  it('refuses a destroy and a replacement', async () => {
    expect(errors(await planLeaseDelete(down().core, storedLease()))).toEqual(['NotChecked']);
    const { findings } = await planLeaseUpdate(down().core, storedLease(), leaseDeclaration({ class: 'pro' }));
    expect(errors(findings)).toEqual(['NotChecked']);
  });

  it('for want of rights is a warning beside the plan, and an error for the object itself', async () => {
    const s = scene(['l1']);
    s.plane.refuse = (verb) => (verb === 'list' ? fault('Forbidden', 'cannot list') : undefined);
    expect(reasons(await create(s, { name: 'l2' }))).toEqual(['warning NotChecked', 'warning NewLeases', 'warning NotChecked']);
    expect((await refresh(s)).kind).toBe('found');
    s.plane.refuse = () => fault('Forbidden', 'cannot get');
    const denied = await readLease(s.core, { namespace: 'team-a', name: 'l9', uid: 'u' });
    expect([denied.kind, ...errors(denied.findings)]).toEqual(['unread', 'Forbidden']);
  });

  it('for wrong credentials is an error', async () => {
    const s = scene(['l1']);
    s.plane.refuse = () => fault('Unauthorized', 'token expired');
    expect(errors((await refresh(s)).findings)).toEqual(['Unauthorized']);
    expect(errors(await create(s, { name: 'l2' }))).toContain('Unauthorized');
  });
});

describe('a lease that goes, at plan', () => {
  it('is refused before its floor with the lease, the Mac, the instant and what remains', async () => {
    const s = scene(['l1']);
    s.plane.advance(5 * HOUR);
    const [refusal] = await planLeaseDelete(s.core, storedLease());
    expect(refusal).toMatchObject({ severity: 'error', reason: 'EarlyRelease', path: '' });
    for (const word of ['team-a/l1', 'c02xyz', '2026-11-30T10:00:00Z', '19h 00m']) expect(refusal?.detail).toContain(word);
  });

  it('counts hold from the state', async () => {
    expect(reasons(await planLeaseDelete(scene(['l1']).core, storedLease({ onEarlyRelease: 'hold' })))).toEqual(['warning BilledUntil']);
  });

  it('may go at its floor, and when it is gone already', async () => {
    const s = scene(['l1']);
    s.plane.advance(24 * HOUR);
    expect(await planLeaseDelete(s.core, storedLease())).toEqual([]);
    expect(await planLeaseDelete(scene().core, storedLease())).toEqual([]);
  });

  it('is another one when somebody made it anew: a warning', async () => {
    expect(reasons(await planLeaseDelete(scene(['l1', {}, { uid: 'other' }]).core, storedLease()))).toEqual(['warning ReplacedOutside']);
  });

  it('is refused when it replaces a lease, also with hold: the name would be taken', async () => {
    const replaced = { cause: 'replaced by hand', replacement: true };
    const [finding] = await planLeaseDelete(scene(['l1']).core, storedLease({ onEarlyRelease: 'hold' }), replaced);
    expect(finding).toMatchObject({ severity: 'error', reason: 'EarlyRelease', detail: expect.stringContaining('would be replaced by hand') as string });
  });

  it('only leaves the state where another resource has taken it over: a warning that names it', async () => {
    const s = scene();
    const lease = leaseObject('l1');
    s.plane.put({ ...lease, metadata: { ...lease.metadata, annotations: { [Annotation.Owner]: 'pulumi:acme/urn:b' } } });
    const [finding, ...more] = await planLeaseDelete(s.core, storedLease({ owner: 'pulumi:acme/urn:a' }));
    expect([finding?.reason, finding?.severity, finding?.detail, more]).toEqual(['OwnedElsewhere', 'warning', expect.stringContaining('adopted by pulumi:acme/urn:b'), []]);
    // Its own, and that of a tool which leaves no mark, is judged by its floor.
    expect(errors(await planLeaseDelete(s.core, storedLease({ owner: 'pulumi:acme/urn:b' })))).toEqual(['EarlyRelease']);
    expect(errors(await planLeaseDelete(s.core, storedLease()))).toEqual(['EarlyRelease']);
  });
});

describe('a lease that changes, at plan', () => {
  const at = async (hours: number, over: Partial<LeaseDeclaration>) => {
    const s = scene(['l1']);
    s.plane.advance(hours * HOUR);
    return planLeaseUpdate(s.core, storedLease({ minimumDuration: '24h' }), leaseDeclaration(over));
  };

  it('of class is LeaseImmutable inside the floor, also with hold', async () => {
    const { findings, replaces } = await at(5, { class: 'pro', onEarlyRelease: 'hold' });
    expect(findings).toMatchObject([{ reason: 'LeaseImmutable', path: 'class' }]);
    expect(replaces).toEqual(['class']);
  });

  it('of class is refused after the floor when the old lease would be lost', async () => {
    expect((await at(25, { class: 'pro' })).findings).toMatchObject([{ severity: 'error', reason: 'NoCapacity', path: 'class' }]);
  });

  it('of name is a replacement after the floor', async () => {
    expect(await at(25, { name: 'l2' })).toEqual({ findings: [], replaces: ['name'], writes: true, keeps: false });
  });

  it('writes only when its minimum is raised, and says that it cannot be lowered again', async () => {
    expect(await at(5, {})).toEqual({ findings: [], replaces: [], writes: false, keeps: false });
    const raised = await at(5, { minimumDuration: '48h' });
    expect([raised.writes, ...reasons(raised.findings)]).toEqual([true, 'warning FloorGrows']);
  });

  it('is not raised any more once it is being released, whatever the state remembers', async () => {
    const s = scene(['l1', { phase: 'Releasing' }, { release: true }]);
    s.plane.advance(25 * HOUR);
    const { findings } = await planLeaseUpdate(s.core, storedLease({ minimumDuration: '24h', phase: 'Bound' }), leaseDeclaration({ minimumDuration: '48h' }));
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([{ reason: 'LeaseImmutable', path: 'minimumDuration' }]);
  });

  it('asks for a new pin before the old lease is given up', async () => {
    const s = scene(['l1']);
    s.plane.advance(25 * HOUR);
    s.plane.refuse = (verb) => (verb === 'dry-run' ? fault('Conflict', 'no', [{ reason: 'SerialUnavailable', message: 'Mac c02abc is not available.' }]) : undefined);
    const { findings } = await planLeaseUpdate(s.core, storedLease(), leaseDeclaration({ serial: 'c02abc' }));
    expect(errors(findings)).toEqual(['SerialUnavailable']);
  });

  describe('of a Held lease with adopt', () => {
    const HELD = ['l1', { phase: 'Held' }, { release: true }] as const;
    const kept = async (s: Scene, prior: Parameters<typeof storedLease>[0] = {}, next: Partial<LeaseDeclaration> = {}) => {
      const { findings, writes, keeps } = await planLeaseUpdate(s.core, storedLease({ phase: 'Held', ...prior }), leaseDeclaration({ adopt: true, ...next }));
      return [keeps, writes, findings.filter(({ reason }) => reason === 'Adopts').map(({ title, path }) => [title, path])];
    };
    const marked = (owner: string): Scene => {
      const s = scene();
      const lease = leaseObject(...HELD);
      s.plane.put({ ...lease, metadata: { ...lease.metadata, annotations: { [Annotation.Owner]: owner } } });
      return s;
    };
    const TAKEN = [true, true, [['lease team-a/l1 is adopted', 'name']]];
    const LEFT = [false, false, []];

    it('takes it back, and says so as at its create', async () => {
      expect(await kept(scene([...HELD]))).toEqual(TAKEN);
    });

    it('is nothing without adopt, of one that was deleted on the server, and of one that is Bound', async () => {
      expect(await kept(scene([...HELD]), {}, { adopt: false })).toEqual(LEFT);
      expect(await kept(scene(['l1', { phase: 'Held' }, { release: true, deleted: true }]))).toEqual(LEFT);
      expect(await kept(scene(['l1']))).toEqual(LEFT);
      expect(await kept(scene(['l1', { phase: 'Held' }, { release: true, uid: 'other' }]))).toEqual(LEFT);
    });

    it('is nothing while the control plane cannot be asked', async () => {
      const s = scene([...HELD]);
      s.plane.refuse = () => fault('Unreachable');
      expect(await kept(s)).toEqual(LEFT);
    });

    it('leaves it to the resource that has adopted it since', async () => {
      expect(await kept(marked('pulumi:b'), { owner: 'pulumi:a' }, { owner: 'pulumi:a' })).toEqual(LEFT);
      for (const owner of ['pulumi:a', 'pulumi:b']) expect(await kept(marked(owner), { owner: 'pulumi:a' }, { owner: 'pulumi:b' })).toEqual(TAKEN);
    });

    it('is not told to set adopt by the warning of Held leases', async () => {
      const { findings } = await planLeaseUpdate(scene([...HELD]).core, storedLease({ phase: 'Held' }), leaseDeclaration({ adopt: true }));
      expect(findings.find(({ reason }) => reason === 'Held')?.detail).toContain('One that the configuration has with `adopt = true` becomes Bound again with the apply; its floor does not change.');
    });
  });
});

describe('a refresh', () => {
  it('of many leases asks for one list of them and one of classes', async () => {
    const plane = new MemoryPlane();
    const s = new Scene(plane);
    for (let i = 0; i < 50; i += 1) plane.put(leaseObject(`l${i}`));
    await Promise.all(Array.from({ length: 50 }, (_, i) => readLease(s.core, { namespace: 'team-a', name: `l${i}`, uid: `uid-l${i}` })));
    await Promise.all(Array.from({ length: 50 }, (_, i) => planLeaseUpdate(s.core, storedLease({ name: `l${i}`, uid: `uid-l${i}` }), leaseDeclaration({ name: `l${i}` }))));
    expect([...plane.requests].sort()).toEqual(['list macclasses /', 'list macnodeleases team-a/']);
  });

  it('finds a Held lease, loses a Released one, and shows another one of the name with a warning', async () => {
    expect((await refresh(scene(['l1', { phase: 'Held' }]))).kind).toBe('found');
    expect((await refresh(scene(['l1', { phase: 'Released' }]))).kind).toBe('gone');
    const other = await refresh(scene(['l1', {}, { uid: 'other' }]));
    expect([other.kind, ...reasons(other.findings)]).toEqual(['found', 'warning ReplacedOutside']);
  });
});
