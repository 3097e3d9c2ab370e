import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ComplexList, TerraformStack } from 'cdktf';
import { tryFindEngine } from '../../cli/terraform/engine';
import type { AttributeTable, AttributeType } from '../../components/cdktf/base/attributes';
import { LIBRARIES, load, type Flavour, type Library } from './flavour';
import { generateBindings, type GeneratedBindings } from './generated-bindings';
import { anything, IMAGE, SHAPE } from './stack';

type Made = Readonly<Record<string, unknown>>;
type Constructor = new (scope: TerraformStack, id: string, config: object) => Made;

const TIMEOUTS = { create: '20m', update: '5m', delete: '1h' };

/** Every construct, with the name that generators give it, and inputs that only some values are right for. */
const CONSTRUCTS: readonly (readonly [ours: string, theirs: string, config: object])[] = [
  ['MacrackProvider', 'MacrackProvider', {}],
  ['MacNodeLease', 'MacNodeLease', { name: 'ci', namespace: 'team-a', class: 'base', serial: 'c02x', minimumDuration: '48h', onEarlyRelease: 'hold', adopt: true, timeouts: TIMEOUTS }],
  ['MacOSInstance', 'MacosInstance', { name: 'vm', namespace: 'team-a', lease: 'team-a/ci', image: IMAGE, shape: SHAPE, running: false, awaitIp: true, timeouts: TIMEOUTS, count: 2, lifecycle: { preventDestroy: true } }],
  ['DataMacrackMacNodeLease', 'DataMacrackMacNodeLease', { name: 'ci', namespace: 'team-a' }],
  ['DataMacrackMacNodeLeases', 'DataMacrackMacNodeLeases', { namespace: 'team-a', phase: 'Held' }],
  ['DataMacrackMacClass', 'DataMacrackMacClass', { name: 'base' }],
];

/** Some value of a type. */
function sample(type: AttributeType): unknown {
  if (typeof type === 'string') return { string: 'text', number: 2, boolean: true }[type];
  if ('object' in type) return samples(type.object);
  return 'list' in type ? [sample(type.list)] : { key: sample(type.map) };
}

const samples = (table: AttributeTable): object => Object.fromEntries(Object.entries(table).map(([name, { type }]) => [name, sample(type)]));

/** Every input of a construct. */
function everyInput({ library }: Flavour, construct: Constructor, config: object): object {
  const { inputs } = new construct(new library.TerraformStack(library.Testing.app(), 's'), 'it', {}) as { readonly inputs: { readonly table: AttributeTable } };
  return { ...samples(inputs.table), ...config };
}

/** Ours name no registry, so that each engine looks in its own, and the versions of the provider that they are for, which the CLIs want. */
const asGenerated = (json: string): string => json.replace('"source": "macrack/macrack",', '"source": "registry.terraform.io/macrack/macrack"').replace(/\n\s*"version": "~> [0-9.]+"/, '');

const isAttribute = (name: string): boolean => !/Input$|^(internalValue|fqn|alias)$/.test(name);

function getters(value: object): string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(value) as object)).filter(([name, descriptor]) => 'get' in descriptor && isAttribute(name)).map(([name]) => name);
}

/** All that can be referred to, by its path: `slots.used`, `leases.0.id`. */
function references(value: Made, path = ''): readonly (readonly [path: string, value: unknown])[] {
  return getters(value).flatMap((name) => {
    const read = value[name];
    const at = path === '' ? name : `${path}.${name}`;
    if (typeof read !== 'object' || read === null) return [[at, read] as const];
    if ('wrapsSet' in read) return references((read as unknown as ComplexList & { get(index: number): Made }).get(0), `${at}.0`);
    return getters(read).length > 0 ? [[at, read] as const, ...references(read as Made, at)] : [[at, read] as const];
  });
}

const engine = tryFindEngine();
// Skipped on a machine without an engine, since only the real one can judge; with CI=true its absence is a failure.
const describeWithEngine = engine === undefined && process.env.CI !== 'true' ? describe.skip : describe;

describeWithEngine('beside freshly generated bindings', () => {
  let generated: GeneratedBindings;
  beforeAll(() => {
    if (engine === undefined) throw new Error('neither terraform nor tofu is on PATH');
    generated = generateBindings(engine);
  });
  afterAll(() => generated?.remove());

  const loaded = (library: Library) => load(library, () => {
    const folder = generated.folder(library);
    return Object.assign({}, ...readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      .map(({ name }) => jest.requireActual<object>(join(folder, name, 'index.ts')))) as Readonly<Record<string, Constructor>>;
  });

  describe.each(LIBRARIES)('of %s', (name) => {
    it.each(CONSTRUCTS)('%s synthesises the same, and what refers to it does', (ours, theirs, config) => {
      const flavour = loaded(name);
      const { library, macrack, more } = flavour;
      const construct = (macrack as unknown as Readonly<Record<string, Constructor>>)[ours] ?? anything(undefined);
      const inputs = everyInput(flavour, construct, config);
      const synthesised = (of: Constructor) => {
        const stack = new library.TerraformStack(library.Testing.app(), 'stack');
        const made = new of(stack, 'it', inputs);
        const found = ours === 'MacrackProvider' ? [] : references(made);
        for (const [path, value] of found) new library.TerraformOutput(stack, path, { value, staticId: true });
        return { count: found.length, json: library.Testing.synth(stack) };
      };
      const mine = synthesised(construct);
      const generatedOnes = synthesised(more?.[theirs] ?? anything(undefined));
      expect({ ...mine, json: asGenerated(mine.json) }).toEqual(generatedOnes);
      if (ours !== 'MacrackProvider') expect(mine.count).toBeGreaterThan(5);
    });

    it.each(CONSTRUCTS.filter(([ours]) => ours !== 'MacrackProvider'))('%s has every attribute that can be referred to', (ours, theirs, config) => {
      const { library, macrack, more } = loaded(name);
      const paths = (construct: Constructor | undefined) => references(new (construct ?? anything(undefined))(new library.TerraformStack(library.Testing.app(), 's'), 'it', config)).map(([path]) => path).sort();
      expect(paths((macrack as unknown as Readonly<Record<string, Constructor>>)[ours])).toEqual(paths(more?.[theirs]));
    });
  });
});
