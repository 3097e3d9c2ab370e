import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerraformStack } from 'cdktf';
import { tryFindEngine } from '../../cli/terraform/engine';
import { installForDevelopment } from '../../provider/terraform/install/development-install';
import { providerProgram } from '../../provider/terraform/install/program';
import { root } from './cdk-app';
import { LIBRARIES, load, type Flavour } from './flavour';
import { SHAPE, VM } from './stack';

const engine = tryFindEngine();
// Skipped on a machine without an engine, since only the real one can judge; with CI=true its absence is a failure.
const describeWithEngine = engine === undefined && process.env.CI !== 'true' ? describe.skip : describe;

const ENV = { AWS_PROFILE: 'Prod-1', plain: 'x' };

/** Every kind of value that the provider takes: texts, numbers, booleans, lists, maps, objects and blocks. */
function everything({ library, macrack }: Flavour): TerraformStack {
  const stack = new library.TerraformStack(library.Testing.app(), 'stack');
  new macrack.MacrackProvider(stack, 'macrack', { configPaths: ['/a', '/b'], namespace: 'team-a', exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'aws', args: ['eks', '--a'], env: ENV } });
  new macrack.MacrackProvider(stack, 'other', { alias: 'other', host: 'https://localhost', clusterCaCertificate: '-----BEGIN\nx\n-----END' });
  const { id } = new macrack.MacNodeLease(stack, 'ci', { name: 'ci', class: 'base', serial: 'C02X', minimumDuration: '48h', onEarlyRelease: 'hold', adopt: true, timeouts: { create: '1h' } });
  new macrack.MacOSInstance(stack, 'vm', { name: 'vm', lease: id, ...VM, running: false, awaitIp: true, timeouts: { delete: '5m', update: '5m' } });
  const found = new macrack.DataMacrackMacNodeLeases(stack, 'leases', { phase: 'Held' });
  new macrack.MacOSInstance(stack, 'late', { name: 'late', lease: found.leases.get(0).id, image: VM.image, shape: { ...SHAPE, cpu: new macrack.DataMacrackMacClass(stack, 'base', { name: 'base' }).cpu } });
  return stack;
}

describeWithEngine('configurations', () => {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-hcl-'));
  const { environment } = installForDevelopment(join(directory, 'provider'), { main: providerProgram(join(root, 'dist')) });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function validated(name: string, file: string, text: string): unknown {
    const work = join(directory, name);
    mkdirSync(work);
    writeFileSync(join(work, file), text);
    const out = execFileSync(engine?.command ?? 'terraform', ['validate', '-json'], { cwd: work, env: { ...process.env, ...environment, CHECKPOINT_DISABLE: '1' }, encoding: 'utf8' });
    return (JSON.parse(out) as { readonly error_count: number }).error_count;
  }

  describe.each(LIBRARIES)('of %s', (name) => {
    const flavour = load(name);
    const { Testing } = flavour.library;

    it('are valid as HCL: objects are attributes there, and only a block is a block', () => {
      const hcl = Testing.synthHcl(everything(flavour)) as string;
      expect(hcl).toMatch(/\nshape = \{/);
      expect(hcl).toMatch(/\nexec \{/);
      expect(validated(`${name}-hcl`, 'main.tf', hcl)).toBe(0);
    });

    it('are valid as JSON, where the keys of a map stay as they were written', () => {
      const json = Testing.synth(everything(flavour));
      expect((JSON.parse(json) as { provider: { macrack: { exec?: { env: object } }[] } }).provider.macrack[0]?.exec?.env).toEqual(ENV);
      expect(validated(`${name}-json`, 'main.tf.json', json)).toBe(0);
    });
  });
});
