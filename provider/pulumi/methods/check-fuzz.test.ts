import fc from 'fast-check';
import { Kinds, type MacNodeLease } from '../../../sdk/api/kinds';
import { instanceObject, leaseObject, Scene } from '../../core/testing/scene';
import type { Props } from '../props';
import { instanceUrn, leaseUrn, ownedBy, startProvider } from '../testing/provider-process';

const GUID = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

type Kind = 'valid' | 'invalid' | 'unknown' | 'unset';

/** A value of a field, and what it is. */
interface Drawn {
  readonly kind: Kind;
  readonly value: unknown;
}

const drawn = (kind: Kind, values: fc.Arbitrary<unknown>): fc.Arbitrary<Drawn> => values.map((value) => ({ kind, value }));
/** Of no field at all, whatever it takes. */
const NOTHING = fc.oneof(fc.array(fc.string(), { maxLength: 2 }), fc.constant(NaN), fc.bigInt(), fc.constant(() => 1), fc.constant(Symbol('s')));

/** A field that takes `valid`, and what else JavaScript may write there. */
function field(valid: fc.Arbitrary<unknown>, invalid: fc.Arbitrary<unknown>, isRequired = false): fc.Arbitrary<Drawn> {
  return fc.oneof(
    { weight: 6, arbitrary: drawn('valid', valid) }, { weight: 1, arbitrary: drawn('invalid', fc.oneof(invalid, NOTHING)) },
    { weight: 2, arbitrary: drawn('unknown', fc.constant(GUID)) }, { weight: isRequired ? 1 : 3, arbitrary: drawn(isRequired ? 'invalid' : 'unset', fc.constantFrom(null, undefined)) },
  );
}

const noText = fc.oneof(fc.integer(), fc.boolean(), fc.dictionary(fc.string(), fc.string(), { maxKeys: 1 }));
const noFlag = fc.oneof(fc.integer(), fc.constantFrom('true', 'false', ''));
const badName = fc.oneof(noText, fc.string().filter((text) => !/^[a-z0-9]([-a-z0-9]{0,56}[a-z0-9])?$/.test(text)), fc.constant('x'.repeat(64)));
const flag = field(fc.boolean(), noFlag);
const timeouts = field(fc.record({ create: fc.constantFrom('10m', '1h30m', GUID, null), delete: fc.constant('5m') }, { requiredKeys: [] }), fc.oneof(fc.constant('10m'), fc.record({ create: fc.constantFrom('soon', '0s', 10) }), fc.constant({ read: '1m' })));

type Shaped = Readonly<Record<string, Drawn>>;

const leases: fc.Arbitrary<Shaped> = fc.record({
  name: field(fc.constantFrom('l1', 'l9'), badName, true), class: field(fc.constantFrom('base', 'pro', 'studio'), fc.oneof(noText, fc.constantFrom('ultra', 'Base', '')), true),
  namespace: field(fc.constantFrom('team-a', 'team-b'), fc.oneof(noText, fc.constantFrom('Team A', '', 'a/b'))), serial: field(fc.constantFrom('C02XYZ', 'c02abc'), fc.oneof(noText, fc.constantFrom('', 'a-b', 'ü'))),
  minimumDuration: field(fc.constantFrom('24h', '48h', '8760h'), fc.oneof(noText, fc.constantFrom('23h', '8761h', '1d', '48', '-24h', ''))),
  onEarlyRelease: field(fc.constantFrom('refuse', 'hold'), fc.oneof(noText, fc.constantFrom('keep', ''))), adopt: flag, statusInDiff: flag, timeouts,
});

const sizes = field(fc.constantFrom('8Gi', '8192Mi', '1G'), fc.oneof(noText, fc.constantFrom('', 'much', '-1Gi', '0')), true);
const shape: fc.Arbitrary<Drawn> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ cpu: field(fc.integer({ min: 1, max: 256 }), fc.constantFrom('4', 0, -1, 0.5, 257, Infinity), true), memory: sizes, disk: sizes }).map(folded) },
  { weight: 1, arbitrary: field(fc.constant({ cpu: 1, memory: '1Gi', disk: '10Gi' }), fc.oneof(fc.string().filter((text) => text !== GUID), fc.constant({}), fc.constant({ cpu: 1, memory: '1Gi', disk: '10Gi', gpu: 1 })), true) },
);

/** An object is what the worst of its fields is. */
function folded(fields: Shaped): Drawn {
  const kinds = Object.values(fields).map(({ kind }) => kind);
  return { kind: kinds.includes('invalid') ? 'invalid' : kinds.includes('unknown') ? 'unknown' : 'valid', value: valuesOf(fields) };
}

const instances: fc.Arbitrary<Shaped> = fc.record({
  name: field(fc.constantFrom('a', 'x'), badName, true), lease: field(fc.constantFrom('team-a/l1', 'team-a/none', 'team-b/l1'), fc.oneof(noText, fc.constantFrom('l1', '/l1', 'a/b/c', '')), true),
  image: field(fc.constantFrom('acme/macos:15', 'ghcr.io/acme/macos@sha256:' + 'a'.repeat(64)), fc.oneof(noText, fc.constantFrom('', 'Not An Image', ':15')), true),
  namespace: field(fc.constantFrom('team-a', 'team-b'), fc.oneof(noText, fc.constantFrom('Team A', ''))), shape, running: flag, awaitIp: flag, timeouts,
});

/** A field that nobody has heard of, now and then. */
const invented = fc.option(fc.constantFrom('maxVms', 'max_vms', 'Name', 'id2'), { freq: 8, nil: undefined });

function valuesOf(fields: Shaped): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]));
}

interface World {
  readonly phase: 'Pending' | 'Bound' | 'Held' | 'none';
  readonly holders: number;
}
const worlds: fc.Arbitrary<World> = fc.record({ phase: fc.constantFrom('Pending', 'Bound', 'Held', 'none'), holders: fc.integer({ min: 0, max: 2 }) });

function scene({ phase, holders }: World): Scene {
  const made = new Scene();
  if (phase !== 'none') made.plane.put(leaseObject('l1', phase === 'Bound' ? {} : { phase }, { release: phase === 'Held' }));
  for (const name of ['a', 'b'].slice(0, holders)) made.plane.put(instanceObject(name));
  return made;
}

const holdsUnknown = (value: unknown): boolean => value === GUID || (typeof value === 'object' && value !== null && Object.values(value).some(holdsUnknown));
const has = (fields: Shaped, kind: Kind): boolean => Object.values(fields).some((each) => each.kind === kind);

/** What every answer of a check holds, whatever it was asked. */
function expectWellFormed(fields: Shaped, extra: string | undefined, { inputs, failures }: { readonly inputs: Props; readonly failures: readonly { readonly property: string; readonly reason: string }[] }): void {
  for (const { property, reason } of failures) {
    expect(property).toMatch(/^[A-Za-z0-9_]*$/);
    expect(reason).toMatch(/^[A-Z][A-Za-z]+: \S.*\.$/s);
  }
  if (has(fields, 'invalid') || extra !== undefined) expect(failures).not.toEqual([]);
  else expect(failures.filter(({ reason }) => reason.startsWith('InvalidValue'))).toEqual([]);
  if (failures.length > 0) return;
  expect(Object.values(inputs)).not.toContain(null);
  for (const [name, { kind, value }] of Object.entries(fields)) {
    // A hole stays a hole: the update asks again with what it turns out to be.
    if (kind === 'unknown') expect(holdsUnknown(inputs[name])).toBe(true);
    if (kind === 'valid' && name === 'name') expect(inputs[name]).toBe(value);
  }
}

const RUNS = { numRuns: 400 };

describe('whatever a program writes of a lease', () => {
  it('is judged without a fault, and allowed as a new one only where nothing stands against it', async () => {
    await fc.assert(fc.asyncProperty(leases, invented, worlds, async (fields, extra, world) => {
      const news = { ...valuesOf(fields), owner: ownedBy(leaseUrn()), ...(extra === undefined ? {} : { [extra]: 1 }) };
      const answer = await startProvider(scene(world)).lease.check({}, news);
      expectWellFormed(fields, extra, answer);
      const { inputs, failures } = answer;
      if (failures.length > 0) return;
      expect(holdsUnknown(inputs.leaseId)).toBe(holdsUnknown(inputs.name) || holdsUnknown(inputs.namespace));
      if (inputs.leaseId === 'team-a/l1' && world.phase !== 'none') expect([fields.adopt?.value, [world.phase === 'Held' ? 'Held' : 'kept', inputs.class]]).toEqual([true, [expect.any(String), expect.stringMatching(new RegExp(`^(base|${GUID})$`))]]);
    }), RUNS);
  });

  it('changes nothing that its floor protects: neither for certain nor perhaps', async () => {
    const olds = { name: 'l1', class: 'base', namespace: 'team-a', minimumDuration: '48h', onEarlyRelease: 'refuse', leaseId: 'team-a/l1', owner: ownedBy(leaseUrn()) };
    await fc.assert(fc.asyncProperty(leases, fc.constantFrom('Bound', 'Held', 'Binding'), async (fields, phase) => {
      const made = scene({ phase: 'Bound', holders: 0 });
      made.plane.change(Kinds.MacNodeLease, { namespace: 'team-a', name: 'l1' }, (lease): MacNodeLease => ({ ...lease, spec: { ...lease.spec, minimumDuration: '48h' }, status: { ...lease.status, phase } }));
      const answer = await startProvider(made).lease.check(olds, { ...valuesOf(fields), owner: olds.owner });
      expectWellFormed(fields, undefined, answer);
      if (answer.failures.length > 0) return;
      expect(answer.inputs).toMatchObject({ name: 'l1', class: 'base', namespace: 'team-a' });
      expect(answer.inputs.serial).toBeUndefined();
      // A minimum that is not known yet is judged when it is.
      expect(['48h', '8760h', GUID]).toContain(answer.inputs.minimumDuration);
    }), RUNS);
  });
});

describe('whatever a program writes of an instance', () => {
  it('is judged without a fault, and allowed only where nothing stands against it or something is not known yet', async () => {
    await fc.assert(fc.asyncProperty(instances, invented, worlds, async (fields, extra, world) => {
      const news = { ...valuesOf(fields), owner: ownedBy(instanceUrn('x')), ...(extra === undefined ? {} : { [extra]: 1 }) };
      const answer = await startProvider(scene(world)).instance.check({}, news);
      expectWellFormed(fields, extra, answer);
      const { inputs, failures } = answer;
      if (failures.length > 0) return;
      if ([inputs.lease, inputs.name, inputs.namespace].some(holdsUnknown)) return;
      expect([inputs.lease, inputs.namespace, world.phase]).toEqual(['team-a/l1', 'team-a', 'Bound']);
      expect(world.holders).toBeLessThan(2);
      expect(inputs.name === 'a' && world.holders > 0).toBe(false);
    }), RUNS);
  });

  it('is refused by the check that comes when a hole is filled, where it is a third one', async () => {
    await fc.assert(fc.asyncProperty(instances.filter((fields) => !has(fields, 'invalid')), async (fields) => {
      const full: World = { phase: 'Bound', holders: 2 };
      const owner = ownedBy(instanceUrn('x'));
      const early = await startProvider(scene(full)).instance.check({}, { ...valuesOf(fields), owner });
      if (early.failures.length > 0) return;
      expect([early.inputs.lease, early.inputs.name, early.inputs.namespace].some(holdsUnknown)).toBe(true);
      const filled = { ...early.inputs, lease: 'team-a/l1', name: 'x', namespace: 'team-a' };
      expect((await startProvider(scene(full)).instance.check({}, filled)).failures).toMatchObject([{ property: 'lease', reason: expect.stringMatching(/^ThirdInstance: /) as unknown }]);
    }), RUNS);
  });
});
