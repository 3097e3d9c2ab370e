import { environment } from '../policies/cel';
import { denials, rulesOf, schemaOf, type Value } from './crd';

type Row = readonly [sentence: string, by: string, oldSelf: Value | undefined, self: Value];

const lease = (spec: Value = {}, status?: Value, name = 'ci') => ({ metadata: { name }, spec: { class: 'base', minimumDuration: '24h', release: false, ...spec }, ...(status === undefined ? {} : { status }) });
const bound = { phase: 'Bound', chassis: 'c02a', bindingUID: 'b-1', boundAt: '2026-11-30T10:00:00Z', earliestReleaseAt: '2026-12-01T10:00:00Z' };
const ended = { ...bound, phase: 'Released', releasedAt: '2026-12-01T10:00:00Z' };
const instance = (spec: Value = {}, status?: Value, name = 'ci-1') => ({ metadata: { name }, spec: { leaseName: 'ci', image: 'ghcr.io/acme/macos:15', shape: { cpu: 4, memory: '8Gi', disk: '60Gi' }, running: true, ...spec }, ...(status === undefined ? {} : { status }) });
const mac = (name: string, serial: string, status?: Value) => ({ metadata: { name }, spec: { serial, class: 'base', hardwareUUID: 'h-1' }, ...(status === undefined ? {} : { status }) });
const claim = (spec: Value = {}, name = 'c02a') => ({ metadata: { name }, spec: { leaseNamespace: 'team-a', leaseName: 'ci', leaseUID: 'l-1', namespaceUID: 'n-1', tenant: 'team-a', minimumDuration: '24h', ...spec } });
const statusOf = (change: Value): Value => ({ ...lease({}, { ...bound, ...change }) });

const leases: Row[] = [
  ['a name of 59 characters', 'is a DNS label', undefined, lease({}, undefined, 'a'.repeat(59))],
  ['a name with a dot', 'is a DNS label', undefined, lease({}, undefined, 'a.b')],
  ['a day less an hour', 'at least 24h', undefined, lease({ minimumDuration: '23h' })],
  ['more than a year', 'at most 8760h', undefined, lease({ minimumDuration: '8761h' })],
  ['another class', 'the class of a lease', lease(), lease({ class: 'pro' })],
  ['a serial that was not pinned', 'the serial of a lease', lease(), lease({ serial: 'C02A' })],
  ['another serial', 'the serial of a lease', lease({ serial: 'C02A' }), lease({ serial: 'C02B' })],
  ['a serial unpinned', 'the serial of a lease', lease({ serial: 'C02A' }), lease()],
  ['a shorter minimum', 'minimumDuration only grows', lease({ minimumDuration: '48h' }), lease()],
  ['a minimum removed', 'minimumDuration only grows', lease({ minimumDuration: '48h' }), lease({ minimumDuration: undefined })],
  ['a release taken back past the floor', 'taken back only while', lease({ release: true }, { ...bound, phase: 'Releasing' }), lease({}, { ...bound, phase: 'Releasing' })],
  ['a minimum raised once it is Releasing', 'cannot be raised', lease({ release: true }, { ...bound, phase: 'Releasing' }), lease({ release: true, minimumDuration: '25h' }, { ...bound, phase: 'Releasing' })],
  ['a minimum raised once it is Released', 'cannot be raised', lease({ release: true }, ended), lease({ release: true, minimumDuration: '25h' }, ended)],
  ['a withdrawal taken back', 'taken back only while', lease({ release: true }), lease()],
  ['a status removed', 'status of a lease cannot be removed', lease({}, bound), lease()],
  ['a status set to null', 'status of a lease cannot be removed', lease({}, bound), { ...lease(), status: null }],
  ['an earlier end of the floor', 'only moves later', statusOf({ earliestReleaseAt: '2026-12-02T10:00:00Z' }), lease({}, bound)],
  ['an earlier end in a later-looking zone', 'only moves later', statusOf({ earliestReleaseAt: '2026-12-02T10:00:00Z' }), statusOf({ earliestReleaseAt: '2026-12-02T11:00:00+02:00' })],
  ['an end of the floor removed before anything was bound', 'only moves later', lease({}, { earliestReleaseAt: bound.earliestReleaseAt }), lease({}, { phase: 'Pending' })],
  ['a floor of less than a day', 'at least 24h after boundAt', lease({}, { phase: 'Binding' }), statusOf({ earliestReleaseAt: '2026-12-01T09:59:59Z' })],
  ['a binding without an end', 'at least 24h after boundAt', lease({}, { phase: 'Binding' }), statusOf({ earliestReleaseAt: undefined })],
  ['another binding instant', 'boundAt is set once', lease({}, bound), statusOf({ boundAt: '2026-11-30T09:00:00Z' })],
  ['a binding instant removed', 'boundAt is set once', lease({}, bound), statusOf({ boundAt: null })],
  ['another claim', 'bindingUID is set once', lease({}, bound), statusOf({ bindingUID: 'b-2' })],
  ['another Mac', 'chassis is set once', lease({}, bound), statusOf({ chassis: 'c02b' })],
  ['Released before the floor', 'Released at or after', lease({}, bound), statusOf({ phase: 'Released', releasedAt: '2026-12-01T09:59:59Z' })],
  ['Released without an instant', 'Released at or after', lease({}, bound), statusOf({ phase: 'Released' })],
  ['a bound lease made Pending, from where it could be withdrawn', 'does not go back', lease({}, bound), statusOf({ phase: 'Pending' })],
  ['a Released lease bound again', 'Released is final', statusOf({ phase: 'Released', releasedAt: '2026-12-01T10:00:00Z' }), lease({}, bound)],
];

const instances: Row[] = [
  ['a name of 59 characters', 'is a DNS label', undefined, instance({}, undefined, 'a'.repeat(59))],
  ['another lease', 'stays with its lease', instance(), instance({ leaseName: 'other' })],
  ['another image', 'the image of an instance', instance(), instance({ image: 'ghcr.io/acme/macos:16' })],
  ['another shape', 'the shape of an instance', instance(), instance({ shape: { cpu: 8, memory: '8Gi', disk: '60Gi' } })],
  ['a status removed', 'status of an instance', instance({}, { phase: 'Running' }), instance()],
  ['another machine under the same object', 'machineID is set once', instance({}, { machineID: 'm-1' }), instance({}, { machineID: 'm-2' })],
  ['a machine forgotten', 'machineID is set once', instance({}, { machineID: 'm-1' }), instance({}, {})],
  ['another MAC', 'mac is set once', instance({}, { mac: '02:00:00:00:00:01' }), instance({}, { mac: '02:00:00:00:00:02' })],
];

const nodes: Row[] = [
  ['a name that is not the serial', 'named by its serial', undefined, mac('c02b', 'c02a')],
  ['another serial', 'serial of a Mac does not change', mac('c02a', 'c02a'), mac('c02a', 'c02b')],
  ['a status removed', 'status of a Mac', mac('c02a', 'c02a', { vmCount: 2 }), mac('c02a', 'c02a')],
];

const claims: Row[] = [
  ['a second spelling of a serial', 'named by the serial', undefined, claim({}, 'c02-a')],
  ['a longer name than a serial', 'named by the serial', undefined, claim({}, 'a'.repeat(33))],
  ['another lease', 'a claim does not change', claim(), claim({ leaseUID: 'l-2' })],
  ['a longer floor', 'a claim does not change', claim(), claim({ minimumDuration: '48h' })],
  ['a floor of an hour', 'at least 24h', undefined, claim({ minimumDuration: '1h' })],
  ['a floor that could never end', 'at most 8760h', undefined, claim({ minimumDuration: '9999h' })],
];

const table = { MacNodeLease: leases, MacOSInstance: instances, MacNode: nodes, MacNodeBinding: claims, Clock: [['a second Clock', 'there is one Clock', undefined, { metadata: { name: 'other' }, spec: {} }]] as Row[], MacClass: [] as Row[] };

// A change of serial changes the name's rule too; there the two rules fall together, and only there.
const together: Record<string, string[]> = { 'MacNode: another serial': ['named by its serial'] };

describe.each(Object.entries(table))('%s', (kind, rows) => {
  const schema = schemaOf(kind);

  if (rows.length > 0) {
    test.each(rows)('refuses: %s', (sentence, by, oldSelf, self) => {
      const expected = [by, ...(together[`${kind}: ${sentence}`] ?? [])];
      const messages = denials(schema, self, oldSelf);
      expect(messages).toHaveLength(expected.length);
      for (const text of expected) expect(messages).toContainEqual(expect.stringContaining(text));
    });
  }

  test('each of its rules refuses one of these', () => {
    for (const { message } of rulesOf(schema)) expect([message, rows.some(([, by]) => message.includes(by))]).toEqual([message, true]);
  });

  test('its rules parse and check in a portable evaluator', () => {
    for (const { rule } of rulesOf(schema)) expect([rule, environment().parse(rule).check().valid]).toEqual([rule, true]);
  });
});

describe('what a lease may do', () => {
  const schema = schemaOf('MacNodeLease');
  test.each<readonly [string, Value | undefined, Value]>([
    ['be created', undefined, lease({ serial: 'C02A', minimumDuration: '8760h' })],
    ['carry a name of 58 characters', undefined, lease({}, undefined, 'a'.repeat(58))],
    ['be bound', lease({}, { phase: 'Binding' }), lease({}, bound)],
    ['lose a race and wait again', lease({}, { phase: 'Binding' }), lease({}, { phase: 'Pending' })],
    ['spell its serial in the other case', lease({ serial: 'C02A' }), lease({ serial: 'c02a' })],
    ['raise its minimum', lease({}, bound), lease({ minimumDuration: '48h' }, bound)],
    ['raise its minimum while Held', lease({ release: true }, { ...bound, phase: 'Held' }), lease({ release: true, minimumDuration: '48h' }, { ...bound, phase: 'Held' })],
    ['spell out the default minimum while Releasing', lease({ release: true, minimumDuration: undefined }, { ...bound, phase: 'Releasing' }), lease({ release: true, minimumDuration: '24h' }, { ...bound, phase: 'Releasing' })],
    ['end its floor later', lease({}, bound), statusOf({ earliestReleaseAt: '2026-12-02T10:00:00Z' })],
    ['carry the same instant in another zone', lease({}, bound), statusOf({ boundAt: '2026-11-30T12:00:00+02:00' })],
    ['ask for its release', lease({}, bound), lease({ release: true }, bound)],
    ['be kept while Held', lease({ release: true }, { ...bound, phase: 'Held' }), lease({}, { ...bound, phase: 'Held' })],
    ['be released at the floor', lease({ release: true }, { ...bound, phase: 'Releasing' }), lease({ release: true }, { ...bound, phase: 'Released', releasedAt: '2026-12-01T10:00:00Z' })],
    ['be withdrawn while Pending', lease({ release: true }, { phase: 'Pending' }), lease({ release: true }, { phase: 'Released' })],
  ])('%s', (_sentence, oldSelf, self) => {
    expect(denials(schema, self, oldSelf)).toEqual([]);
  });
});
