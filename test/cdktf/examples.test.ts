import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CdkApp, root } from './cdk-app';
import { LIBRARIES } from './flavour';

const directory = mkdtempSync(join(tmpdir(), 'macrack-examples-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe.each(LIBRARIES)('the example for %s, with the built package beside it', (library) => {
  const app = new CdkApp(library, join(directory, library));

  it('compiles', async () => {
    expect(await app.package('tsc')).toEqual({ code: 0, output: '' });
  });

  it('passes the tests that it brings', async () => {
    const { code, output } = await app.package('jest');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Tests: +4 passed, 4 total/) as string });
  });

  it('does not compile, and fails its tests, with a third virtual machine on a Mac', async () => {
    app.edit('ci-stack.ts', 'vms: [runner, runner] });', 'vms: [runner, runner, runner] });');
    const compiled = await app.package('tsc');
    expect({ code: compiled.code, output: compiled.output }).toEqual({ code: 2, output: expect.stringMatching(/^ci-stack\.ts\(20,94\): error TS2322: .* is not assignable to type 'Vms /) as string });
    const tested = await app.package('jest');
    expect({ code: tested.code, output: tested.output }).toEqual({ code: 1, output: expect.stringMatching(/\[ci\] ThirdInstance: .*runner-0 takes two instances/) as string });
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
