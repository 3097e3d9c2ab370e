import { Kinds } from '../../sdk/api';
import { AuditUnavailable, type AuditLog } from '../audit/audit-log';
import { HOUR_MS, Rig, TENANT, until } from '../testing/rig';

// A busy machine may need longer than the default; every wait inside has a deadline of its own.
let rig: Rig;
let broken = false;
afterEach(() => {
  broken = false;
  return rig.close();
});

/** A record that fails while `broken`: every question and every row. */
function fragile(inner: AuditLog): AuditLog {
  return new Proxy(inner, {
    get: (target, name: keyof AuditLog) => (...args: unknown[]) => {
      if (broken && name === 'writable') return Promise.resolve(false);
      if (broken && name !== 'close') return Promise.reject(new AuditUnavailable('audit.db', new Error('disk full')));
      return (target[name] as (...a: unknown[]) => unknown).call(target, ...args);
    },
  });
}

describe('while the record cannot be written', () => {
  it('nothing is bound, and the lease says why; it is bound when the record is back', async () => {
    rig = await Rig.open('c02a');
    broken = true;
    await rig.operate({ audit: fragile });
    await rig.createLease('ios');
    await until('it says why', () => rig.lease('ios')?.status?.reason === 'AuditUnavailable');
    expect(rig.plane.all(Kinds.MacNodeBinding)).toEqual([]);
    broken = false;
    await rig.pass(5_000);
    await rig.untilLease('ios', 'Bound');
  });

  it('nothing is started, running machines stay, and nothing is released', async () => {
    rig = await Rig.open('c02a');
    await rig.operate({ audit: fragile });
    await rig.createLease('ios');
    await rig.untilLease('ios', 'Bound');
    await rig.createInstance('one');
    await rig.untilInstance('one', 'Running');
    broken = true;
    await rig.createInstance('two');
    await until('it says why', () => rig.instance('two')?.status?.reason === 'AuditUnavailable');
    expect(rig.instance('one')?.status?.phase).toBe('Running');
    await rig.plane.patch(Kinds.MacNodeLease, { namespace: TENANT, name: 'ios' }, { spec: { release: true } });
    await rig.pass(24 * HOUR_MS + 61_000);
    await rig.untilLease('ios', 'Releasing');
    await until('the machine is gone', () => rig.instance('one') === null);
    expect(rig.plane.all(Kinds.MacNodeBinding)).toHaveLength(1);
    broken = false;
    await rig.pass(5_000);
    await rig.untilLease('ios', 'Released');
  });
});
