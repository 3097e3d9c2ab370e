import fc from 'fast-check';
import { decode } from '@msgpack/msgpack';
import { leaseObject, classObject, instanceObject } from '../../core/testing/scene';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { macrackProvider } from '../provider';
import type { Attributes, Type } from '../schema/types';
import type { Schema } from '../schema/schema';
import type { DynamicValue } from '../values/dynamic-value';
import { encodeRow } from '../values/codec';
import { Unknown, UNKNOWN } from '../values/unknown';
import type { CallContext } from '../handlers';
import type { WalkMarker } from '../walk/walk-marker';
import { configureProvider } from './configure';
import { planResourceChange } from './plan';
import { readDataSource } from './read';
import { Session } from './session';
import { validateDataResourceConfig, validateResourceConfig } from './validate';

const ctx: CallContext = {
  inFlight: { working: 0, waiting: 0, quiet: () => Promise.resolve('quiet') },
  signal: new AbortController().signal,
  log: () => undefined,
};

interface Answer {
  readonly diagnostics?: readonly { readonly severity: string; readonly summary: string; readonly detail: string }[];
  readonly planned_state?: DynamicValue;
}

const TEXTS = ['', ' ', 'l1', 'team-a', 'team-a/l1', 'team-b/l1', 'ünïcode', 'a.b', 'x'.repeat(64), 'C02XYZ', 'base', '24h', '48h', '1d', '8760h', '99999999999999999999h', '0', '8Gi', '-1', '1e400', 'hold', 'refuse',
  'ghcr.io:5000/acme/macos:15@sha256:' + 'a'.repeat(64), '__proto__', 'constructor', '\u0000', '\ufffd', '10m', '-1h'];
const NUMBERS = [0, 1, 2, -1, 0.5, 256, 257, 1e308, '0.1', '123456789012345678901234567890'];

const hole = fc.constantFrom(UNKNOWN, new Unknown({ isNull: false }), new Unknown({ isNull: false, stringPrefix: 'team-' }));

/** Values that Terraform may send for a type: of the type, null or unknown, all the way down. */
function valueOf(type: Type): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: knownOf(type) }, { weight: 1, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: hole });
}

function knownOf(type: Type): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'string': return fc.oneof(fc.constantFrom(...TEXTS), fc.string());
    case 'number': return fc.constantFrom(...NUMBERS);
    case 'bool': return fc.boolean();
    case 'list':
    case 'set': return fc.array(valueOf(type.element), { maxLength: 3 });
    case 'map': return fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), valueOf(type.element), { maxKeys: 2 });
    case 'object': return rowOf(type.attributes);
  }
}

/** A configuration: what only the provider sets is null in it. */
function rowOf(attributes: Attributes): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(Object.fromEntries(Object.entries(attributes).map(([name, { type, mode }]) => [name, mode === 'computed' ? fc.constant(null) : valueOf(type)])));
}

/** Of a valid instance, with some attributes that are not known. */
const VALID = { namespace: 'team-a', name: 'vm-3', lease: 'team-a/l1', image: 'acme/macos:15', shape: { cpu: 2, memory: '4Gi', disk: '40Gi' }, running: true };

const PLANS: WalkMarker = { validated: () => undefined, configured: () => 'preview', isAlone: () => true };

async function world(): Promise<Session> {
  const plane = new MemoryPlane();
  for (const name of ['base', 'pro', 'studio']) plane.put(classObject(name, 2));
  plane.put(leaseObject('l1'));
  for (const name of ['vm-1', 'vm-2']) plane.put(instanceObject(name));
  const session = new Session(macrackProvider({ connect: () => Promise.resolve(plane), marker: PLANS }), { after: () => () => undefined }, () => undefined);
  await configureProvider(session, { terraform_version: '1.11.4', config: encodeRow({}, session.handlers.configSchema) }, ctx);
  return session;
}

const bugs = ({ diagnostics = [] }: Answer) => diagnostics.filter(({ summary }) => summary.startsWith('Bug in'));
const isSaid = ({ summary, detail }: { summary: string; detail: string }): boolean => summary !== '' && detail !== '' && !/undefined|\[object|NaN/.test(`${summary}${detail}`.replaceAll(JSON.stringify('NaN'), ''));

const handlers = macrackProvider();
const schemas: readonly (readonly [string, Schema])[] = [...Object.entries(handlers.resources), ...Object.entries(handlers.dataSources)].map(([name, { schema }]) => [name, schema]);

describe('values of the form of a schema', () => {
  it.each(Object.keys(handlers.resources))('of %s, whatever is null or unknown in them, are judged and break nothing', async (type_name) => {
    const schema = handlers.resources[type_name]?.schema as Schema;
    await fc.assert(fc.asyncProperty(rowOf(schema.attributes), async (row) => {
      const session = await world();
      const config = encodeRow(row, schema);
      const validated = await validateResourceConfig(session, { type_name, config }, ctx) as Answer;
      const planned = await planResourceChange(session, { type_name, prior_state: null, proposed_new_state: config, config, prior_private: new Uint8Array() }, ctx) as Answer;
      for (const answer of [validated, planned]) {
        expect(bugs(answer)).toEqual([]);
        for (const diagnostic of answer.diagnostics ?? []) expect({ diagnostic, isSaid: isSaid(diagnostic) }).toEqual({ diagnostic, isSaid: true });
      }
      expect(decode(planned.planned_state?.msgpack ?? new Uint8Array(), { useBigInt64: true })).toBeDefined();
    }), { numRuns: 300 });
  });

  it.each(Object.keys(handlers.dataSources))('of %s are read, or refused in words', async (type_name) => {
    const schema = handlers.dataSources[type_name]?.schema as Schema;
    const known = fc.record(Object.fromEntries(Object.entries(schema.attributes).map(([name, { type, mode }]) => [name, mode === 'computed' ? fc.constant(null) : fc.option(knownOf(type))])));
    await fc.assert(fc.asyncProperty(known, async (row) => {
      const session = await world();
      const config = encodeRow(row, schema);
      for (const answer of [await validateDataResourceConfig(session, { type_name, config }, ctx), await readDataSource(session, { type_name, config }, ctx)] as Answer[]) {
        expect(bugs(answer)).toEqual([]);
      }
    }), { numRuns: 150 });
  });

  it('that are unknown never make a third instance allowed without a word', async () => {
    const schema = handlers.resources['macrack_macos_instance']?.schema as Schema;
    const holes = fc.subarray(Object.keys(VALID));
    await fc.assert(fc.asyncProperty(holes, hole, async (unknown, value) => {
      const session = await world();
      const row = { ...VALID, ...Object.fromEntries(unknown.map((name) => [name, value])) };
      const config = encodeRow(row, schema);
      const { diagnostics = [] } = await planResourceChange(session, { type_name: 'macrack_macos_instance', prior_state: null, proposed_new_state: config, config, prior_private: new Uint8Array() }, ctx) as Answer;
      const reasons = diagnostics.map(({ summary }) => summary.split(':')[0]);
      expect({ unknown, told: reasons.includes('ThirdInstance') || reasons.includes('NotChecked') }).toEqual({ unknown, told: true });
    }), { numRuns: 200 });
  });

  it('that are unknown never make the release of a young lease allowed', async () => {
    const { schema } = handlers.resources['macrack_mac_node_lease'] ?? {};
    const inputs = ['namespace', 'name', 'class', 'serial'];
    await fc.assert(fc.asyncProperty(fc.subarray(inputs, { minLength: 1 }), hole, async (unknown, value) => {
      const session = await world();
      const prior = { namespace: 'team-a', name: 'l1', class: 'base', minimum_duration: '24h', on_early_release: 'refuse', id: 'team-a/l1', uid: 'uid-l1', phase: 'Bound' };
      const config = encodeRow({ namespace: 'team-a', name: 'l1', class: 'base', ...Object.fromEntries(unknown.map((name) => [name, value])) }, schema as Schema);
      const answer = await planResourceChange(session, { type_name: 'macrack_mac_node_lease', prior_state: encodeRow(prior, schema as Schema), proposed_new_state: config, config, prior_private: new Uint8Array() }, ctx) as Answer & { requires_replace: readonly object[] };
      const said = (answer.diagnostics ?? []).map(({ severity, summary }) => `${severity} ${summary.split(':')[0]}`);
      expect({ unknown, replaced: answer.requires_replace.length > 0, said: said.some((s) => /^(ERROR|WARNING NotChecked)/.test(s)) }).toEqual({ unknown, replaced: true, said: true });
    }), { numRuns: 60 });
  });

  it('cover every type that is served', () => {
    expect(schemas.map(([name]) => name)).toHaveLength(5);
  });
});
