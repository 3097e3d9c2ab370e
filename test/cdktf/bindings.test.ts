import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tryFindEngine } from '../../cli/terraform/engine';
import { bindings } from '../../components/emit/bindings';
import { declaredMembers, type Declarations } from './declared-members';
import { LIBRARIES } from './flavour';
import { generateBindings, type GeneratedBindings } from './generated-bindings';

const sources = resolve(__dirname, '..', '..', 'components', 'cdktf');

it('the bindings in the sources are those of the schema: `node dist/components/emit/generate.js` writes them', () => {
  const folder = join(sources, 'bindings');
  const written = Object.fromEntries(readdirSync(folder).map((file) => [file.replace(/\.ts$/, ''), readFileSync(join(folder, file), 'utf8')]));
  const { version } = JSON.parse(readFileSync(join(sources, '..', '..', 'package.json'), 'utf8')) as { readonly version: string };
  expect(written).toEqual(bindings(version));
});

/**
 * Generators give an object that only the provider fills an interface without members, and its reference a value that is always
 * undefined. Ours have neither; of the other references the value is compared as it is read. Functions of a provider are known to cdktn
 * alone, so the one source has none.
 */
function comparable({ MacrackProviderFunctions: _functions, ...declarations }: Declarations): Declarations {
  const isFilled = (name: string): boolean => Object.keys(declarations[name] ?? {}).length > 0;
  return Object.fromEntries(Object.entries(declarations).filter(([name]) => isFilled(name)).map(([name, { internalValue, functions: _ofCdktn, ...members }]) => {
    const isInput = internalValue !== undefined && isFilled(name.replace(/OutputReference$/, ''));
    return [name, isInput ? { ...members, internalValue: internalValue.replace(/; set .*/, '') } : members];
  }));
}

const engine = tryFindEngine();
// Skipped on a machine without an engine, since only the real one can judge; with CI=true its absence is a failure.
const describeWithEngine = engine === undefined && process.env.CI !== 'true' ? describe.skip : describe;

describeWithEngine('beside freshly generated bindings', () => {
  let generated: GeneratedBindings;
  let ours: Declarations;

  beforeAll(() => {
    if (engine === undefined) throw new Error('neither terraform nor tofu is on PATH');
    generated = generateBindings(engine);
    ours = comparable(declaredMembers([join(sources, 'bindings', 'index.ts')], join(sources, 'bindings'), sources));
  });
  afterAll(() => generated?.remove());

  it.each(LIBRARIES)('%s: every type has the same members, of the same types', (library) => {
    const folder = generated.folder(library);
    const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name, 'index.ts'));
    expect(ours).toEqual(comparable(declaredMembers(entries, folder)));
  });
});
