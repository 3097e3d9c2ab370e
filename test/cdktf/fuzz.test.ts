import fc from 'fast-check';
import type { AttributeTable, AttributeType } from '../../components/cdktf/base/attributes';
import { LIBRARIES, load } from './flavour';
import { anything, stackIn } from './stack';

/** Whatever JavaScript may hand over. */
const junk = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true, withTypedArray: true }),
  fc.constantFrom<unknown>(() => 1, Symbol('s'), NaN, Infinity, -0, '${var.x}', '%{ if true }', '', ' ', 'läufer', '4', '24h', 'team-a/ci', new Error('e')),
);

function shaped(type: AttributeType): fc.Arbitrary<unknown> {
  if (typeof type === 'string') return fc.oneof(junk, { string: fc.string({ unit: 'grapheme' }), number: fc.double(), boolean: fc.boolean() }[type]);
  if ('object' in type) return fc.oneof(junk, rowOf(type.object));
  return 'list' in type ? fc.oneof(junk, fc.array(shaped(type.list))) : fc.oneof(junk, fc.dictionary(fc.string(), shaped(type.map)));
}

const rowOf = (table: AttributeTable): fc.Arbitrary<object> => fc.record(Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, shaped(type)])), { requiredKeys: [] });

describe.each(LIBRARIES)('a synth of %s over values of any kind', (name) => {
  const flavour = load(name);
  const { library, macrack } = flavour;

  /** It synthesises, or it refuses in our words: nothing else comes out. */
  function endsWell(declare: (stack: ReturnType<typeof stackIn>) => void): void {
    const stack = stackIn(flavour);
    declare(stack);
    try {
      (stack.node.root as unknown as { synth(): void }).synth();
    } catch (error) {
      expect((error as Error).message).toMatch(/^Validation failed with the following errors:\n {2}\[stack/);
    }
  }

  it.each(['MacrackProvider', 'MacNodeLease', 'MacOSInstance', 'DataMacrackMacNodeLease', 'DataMacrackMacNodeLeases', 'DataMacrackMacClass'] as const)('%s ends or is refused', (kind) => {
    const construct = macrack[kind] as unknown as new (stack: unknown, id: string, config: unknown) => { readonly inputs: { readonly table: AttributeTable } };
    const { table } = new construct(new library.TerraformStack(library.Testing.app(), 's'), 'it', {}).inputs;
    fc.assert(fc.property(fc.oneof({ weight: 5, arbitrary: rowOf(table) }, { weight: 1, arbitrary: junk }), (config) => {
      endsWell((stack) => { new construct(stack, 'it', kind === 'MacrackProvider' && typeof config === 'object' ? { ...config, alias: 'other' } : config); });
    }), { numRuns: 80 });
  });

  it.each(['DedicatedMac', 'MacFleet'] as const)('%s ends or is refused', (kind) => {
    const vm = fc.oneof(junk, fc.record({ image: junk, shape: fc.oneof(junk, fc.record({ cpu: junk, memory: junk, disk: junk })), name: junk }, { requiredKeys: [] }));
    const props = fc.record({ class: junk, name: junk, chassis: junk, serial: junk, timeouts: junk, vms: fc.oneof(junk, fc.array(vm, { maxLength: 4 })), count: fc.oneof(junk, fc.integer({ min: 0, max: 3 })) }, { requiredKeys: [] });
    fc.assert(fc.property(fc.oneof({ weight: 5, arbitrary: props }, { weight: 1, arbitrary: junk }), (config) => {
      endsWell((stack) => { new macrack[kind](stack, 'it', anything(config)); });
    }), { numRuns: 80 });
  });
});
