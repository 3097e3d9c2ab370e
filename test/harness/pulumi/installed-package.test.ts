import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { installMacrack } from '../../../cli/pulumi/install';
import { Workspace, worked } from '../../../cli/pulumi/workspace';
import { describePulumiPrograms } from './programs';

const PROVIDER = 'exports.made = (inputs) => ({ id: "by the package", outs: { ...inputs, from: __dirname } });';

// The state keeps the text of the methods: by name they reach the package, whatever its version.
const COMPONENTS = `
const pulumi = require("@pulumi/pulumi");
const provider = { async create(inputs) { return require("macrack/pulumi/provider").made(inputs); }, async delete() {} };
exports.Thing = class extends pulumi.dynamic.Resource { constructor(name) { super(provider, name, { from: undefined }, {}, "toy", "Thing"); } };
`;

function fakePackage(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const MANIFEST = JSON.stringify({ name: 'macrack', exports: { './pulumi': './dist/components/pulumi/bundle.js', './pulumi/provider': './dist/provider/pulumi/bundle.js' }, dependencies: { yaml: '*' } });

describePulumiPrograms('the package beside programs', (suite) => {
  const root = mkdtempSync(join(tmpdir(), 'macrack-package-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('is said to be unbuilt where it is', () => {
    fakePackage(join(root, 'unbuilt'), { 'package.json': MANIFEST });
    expect(() => installMacrack(join(root, 'programs'), join(root, 'unbuilt'))).toThrow(/not built .*: run `npm run build` first/);
  });

  it('is installed as files of its own, without what is not shipped, and its methods are kept in the state by name', async () => {
    const from = join(root, 'built');
    fakePackage(from, {
      'package.json': MANIFEST, 'dist/components/pulumi/bundle.js': COMPONENTS, 'dist/provider/pulumi/bundle.js': PROVIDER, 'dist/provider/pulumi/bundle.js.map': '{}', 'dist/.test/a.d.ts': '',
      'node_modules/yaml/package.json': '{ "name": "yaml", "version": "9.9.9" }',
    });
    const programs = join(suite().directory, 'with-package');
    installMacrack(programs, from);
    const installed = join(programs, 'node_modules', 'macrack');
    const isThere = (path: string): boolean => lstatSync(join(programs, 'node_modules', path), { throwIfNoEntry: false }) !== undefined;
    expect([lstatSync(installed).isDirectory(), ...['yaml/package.json', '@pulumi/pulumi', 'typescript', 'macrack/dist/.test', 'macrack/dist/provider/pulumi/bundle.js.map'].map(isThere)]).toEqual([true, true, true, true, false, false]);

    const workspace = new Workspace({ engine: suite().engine, dir: join(programs, 'one') }).write('const { Thing } = require("macrack/pulumi"); new Thing("thing");');
    worked(await workspace.upWithoutPreview());
    const { resources = [] } = (await workspace.exportState()).deployment;
    const thing = resources.find(({ type }) => type === 'pulumi-nodejs:dynamic/toy:Thing');
    expect(thing).toMatchObject({ id: 'by the package', outputs: { from: join(installed, 'dist', 'provider', 'pulumi') } });
    expect(String(thing?.inputs?.__provider)).toContain('require("macrack/pulumi/provider")');
    expect(String(thing?.inputs?.__provider)).not.toContain('by the package');
  });
});
