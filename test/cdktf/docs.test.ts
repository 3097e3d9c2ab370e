import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CdkApp, root } from './cdk-app';
import { LIBRARIES } from './flavour';

const page = readFileSync(join(root, 'docs', 'cdktf.md'), 'utf8');
const programs = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);

describe('docs/cdktf.md', () => {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-docs-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it.each(LIBRARIES)('has programs that compile and pass with %s', async (library) => {
    const app = new CdkApp(library, join(directory, library));
    expect(programs.length).toBe(2);
    programs.forEach((text, at) => app.write(`page-${at}.test.ts`, text.replaceAll("cdktf'", `${library}'`)));
    expect(await app.package('tsc')).toEqual({ code: 0, output: '' });
    const { code, output } = await app.package('jest', 'page-1');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Tests: +1 passed/) as string });
  });

  it('names every construct of the package', () => {
    const exported = Object.keys(jest.requireActual<object>('../../components/cdktf')).filter((name) => !/OutputReference$|List$|^[A-Z_]+$/.test(name));
    expect(exported.length).toBeGreaterThan(7);
    expect(exported.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
