import fc from 'fast-check';
import type { JsonSchema } from '../../sdk/api/emit';
import { denials, schemaOf, type Value } from './crd';

const schema = schemaOf('MacNodeLease');
const start = Date.parse('2026-11-30T10:00:00Z');

/** Instants of three days, some as another zone writes them. */
const instant = fc.tuple(fc.integer({ min: 0, max: 72 }), fc.constantFrom(0, 2, -5)).map(([hours, zone]) => {
  const shifted = new Date(start + (hours + zone) * 3_600_000).toISOString().slice(0, 19);
  return zone === 0 ? `${shifted}Z` : `${shifted}${zone < 0 ? '-' : '+'}0${Math.abs(zone)}:00`;
});
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof(arbitrary, fc.constant(null), fc.constant(undefined));

const status = fc.record({
  phase: maybe(fc.constantFrom('Pending', 'Binding', 'Bound', 'Held', 'Releasing', 'Released')),
  boundAt: maybe(fc.constant('2026-11-30T10:00:00Z')),
  earliestReleaseAt: maybe(instant),
  releasedAt: maybe(instant),
});

/** What a client may send: a status, an empty one, none, or a change of the spec, which never touches the status. */
const write = fc.oneof(
  { weight: 8, arbitrary: status.map((value): Value => ({ status: value })) },
  { weight: 1, arbitrary: fc.constantFrom<Value>({ status: {} }, { status: null }, { status: undefined }) },
  { weight: 1, arbitrary: fc.record({ minimumDuration: fc.constantFrom('24h', '25h', '48h') }) },
);

function merged(object: Value, change: Value): Value {
  if ('status' in change) return { ...object, status: change.status };
  return { ...object, spec: { ...(object.spec as Value), ...change } };
}

function endOf(object: Value): number | undefined {
  const end = (object.status as Value | null | undefined)?.earliestReleaseAt;
  return typeof end === 'string' ? Date.parse(end) : undefined;
}

/** The objects that a server with this schema stores one after the other; a write that is refused changes nothing. */
function stored(under: JsonSchema, writes: readonly Value[]): Value[] {
  const objects: Value[] = [{ metadata: { name: 'ci' }, spec: { class: 'base', minimumDuration: '24h', release: false } }];
  for (const change of writes) {
    const now = objects.at(-1) ?? {};
    const next = merged(now, change);
    if (denials(under, next, now).length === 0) objects.push(next);
  }
  return objects;
}

function isFloorLowered(objects: readonly Value[]): boolean {
  const ends = objects.map(endOf);
  return ends.some((end, i) => ends.slice(0, i).some((earlier) => earlier !== undefined && (end === undefined || end < earlier)));
}

test('no sequence of writes that set, unset or null makes earliestReleaseAt earlier or takes it away', () => {
  fc.assert(fc.property(fc.array(write, { maxLength: 12 }), (writes) => !isFloorLowered(stored(schema, writes))), { numRuns: 400 });
});

test('no sequence of writes stores a Released lease that was bound for less than a day', () => {
  const isEarly = ({ status: value }: Value) => {
    const { phase, boundAt, releasedAt } = (value ?? {}) as Record<string, string | null | undefined>;
    return phase === 'Released' && typeof boundAt === 'string' && Date.parse(releasedAt ?? boundAt) - Date.parse(boundAt) < 86_400_000;
  };
  fc.assert(fc.property(fc.array(write, { maxLength: 12 }), (writes) => !stored(schema, writes).some(isEarly)), { numRuns: 400 });
});

const lower = ['2026-12-02T10:00:00Z', null, '2026-12-01T10:00:00Z'].map((earliestReleaseAt): Value => ({ status: { earliestReleaseAt } }));

test('set, unset, set lower is refused, because the rule stands on the parent', () => {
  expect(isFloorLowered(stored(schema, lower))).toBe(false);
});

test('the same writes beat a rule that stands on the field itself, so the property is no accident', () => {
  const leaf: JsonSchema = { type: 'object', properties: { status: { type: 'object', properties: { earliestReleaseAt: { type: 'string', format: 'date-time', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'later' }] } } } } };
  expect(isFloorLowered(stored(leaf, lower))).toBe(true);
  expect(isFloorLowered(stored(leaf, [lower[0] ?? {}, lower[2] ?? {}]))).toBe(false);
});
