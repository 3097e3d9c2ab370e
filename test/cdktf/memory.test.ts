import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './cdk-app';
import { LIBRARIES } from './flavour';

/** Two hundred resources, synthesised to a directory: 100 Macs with one virtual machine each. `node -e SYNTH <library> <package> <directory>`. */
const SYNTH = `
const [library, macrack, outdir] = process.argv.slice(1);
const { App, TerraformStack } = require(library);
const { MacFleet, MacrackProvider } = require(macrack);
const stack = new TerraformStack(new App({ outdir }), 'stack');
new MacrackProvider(stack, 'macrack');
new MacFleet(stack, 'ci', { class: 'base', count: 100, vms: [{ image: 'ghcr.io/acme/macos-sequoia:15.1', shape: { cpu: 4, memory: '8Gi', disk: '100Gi' } }] });
stack.node.root.synth();
const { resource } = JSON.parse(require('node:fs').readFileSync(outdir + '/stacks/stack/cdk.tf.json', 'utf8'));
const resources = Object.values(resource).flatMap(Object.keys).length;
console.log(JSON.stringify({ resources, maxRssKiB: process.resourceUsage().maxRSS }));
`;

it.each(LIBRARIES)('a synth of 200 resources with %s takes less than 512 MB', (library) => {
  const outdir = mkdtempSync(join(tmpdir(), 'macrack-synth-'));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', SYNTH, join(root, 'node_modules', library), join(root, 'dist', 'components', library), outdir], { encoding: 'utf8' });
  rmSync(outdir, { recursive: true, force: true });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { resources, maxRssKiB } = JSON.parse(stdout) as { readonly resources: number; readonly maxRssKiB: number };
  expect(resources).toBe(200);
  expect(maxRssKiB).toBeLessThan(512 * 1024);
});
