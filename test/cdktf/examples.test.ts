import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CdkApp, root } from './cdk-app';
import { LIBRARIES } from './flavour';

const page = readFileSync(join(root, 'docs', 'cdktf.md'), 'utf8');
const programs = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);

const directory = mkdtempSync(join(tmpdir(), 'macrack-examples-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe.each(LIBRARIES)('the example for %s and the programs of docs/cdktf.md, with the built package beside them', (library) => {
  const app = new CdkApp(library, join(directory, library));
  const [program = '', test = ''] = programs.map((text) => text.replaceAll("cdktf'", `${library}'`));
  app.write('page.ts', program);
  app.write('page.test.ts', test);

  it('compile', async () => {
    expect(await app.package('tsc')).toEqual({ code: 0, output: '' });
  });

  it('run, and pass the tests that they bring', async () => {
    expect(await app.run(process.execPath, '.', 'page.ts')).toMatchObject({ code: 0 });
    expect(app.synthesised('ci')).toContain('"runner-vm-1"');
    const { code, output } = await app.package('jest');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Tests: +5 passed, 5 total/) as string });
  });

  it('fail these tests with a third virtual machine on a Mac', async () => {
    app.edit('ci-stack.ts', 'vms: [runner, runner] });', 'vms: [runner, runner, runner] });');
    const { code, output } = await app.package('jest', 'ci-stack');
    expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/\[ci\] ThirdInstance: .*runner-0 takes two instances/) as string });
  });
});

describe('docs/cdktf.md', () => {
  it('names every construct of the package', () => {
    const exported = Object.keys(jest.requireActual<object>('../../components/cdktf')).filter((name) => !/OutputReference$|List$/.test(name));
    expect(exported.length).toBeGreaterThan(7);
    expect(exported.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});

it('the examples differ in the name of the library alone', () => {
  const files = (library: string) => readdirSync(join(root, 'examples', library)).filter((file) => file !== 'node_modules' && file !== 'cdktf.out').sort();
  expect(files('cdktn')).toEqual(files('cdktf'));
  for (const file of files('cdktf').filter((name) => name !== 'cdktf.json' && name !== 'package.json' && name !== 'README.md')) {
    const text = (library: string) => readFileSync(join(root, 'examples', library, file), 'utf8');
    expect(text('cdktn')).toBe(text('cdktf').replaceAll("cdktf'", "cdktn'"));
  }
});
