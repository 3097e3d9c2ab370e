import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerProgram } from '../../provider/terraform/install/program';
import { instancesOnPlane, phasesOfInstances, phasesOfLeases } from '../harness/plane-eyes';
import { describeTerraform, describeTofu, type TerraformSuite } from '../harness/terraform-suite';
import { macs, type TestTenant } from '../harness/plane-suite';
import { CdkApp, root, type Ended } from './cdk-app';
import { LIBRARIES, type Library } from './flavour';
import { mirrorProvider } from './mirror';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };

/** The first run of a stack would have the engine ask the registry for checksums; the provider is in a mirror here. */
const OFFLINE = '--skip-provider-lock';
const APPROVED = ['--auto-approve', OFFLINE];

const BOUND = { 'runner-0': 'Bound', signing: 'Bound' };
const RUNNING = { 'runner-0-vm-0': 'Running', 'runner-0-vm-1': 'Running', signer: 'Running' };

/** The example of a tenant, with the engine of the suite and a mirror as the only place of the provider. */
function appOf({ directory, engine }: TerraformSuite, library: Library, { kubeconfig }: TestTenant): CdkApp {
  const configFile = mirrorProvider(join(directory, `mirror-${library}`), version, providerProgram(join(root, 'dist')));
  return new CdkApp(library, join(directory, library), { KUBECONFIG: kubeconfig, TF_CLI_CONFIG_FILE: configFile, TERRAFORM_BINARY_NAME: engine.command });
}

/** Ends with the exit status, and with words in what the user is shown. */
function expectEnd({ code, output }: Ended, status: number, ...words: readonly RegExp[]): void {
  const plain = output.replaceAll(/[│\s]+/g, ' ');
  expect({ code, missing: words.filter((word) => !word.test(plain)), output: plain }).toEqual({ code: status, missing: [], output: plain });
}

// Each test goes on where the one before it ended, as a user does.
describeTerraform('the example, driven by the CLI', { macs: macs(6), tenants: 2 }, (suite) => {
  describe.each(LIBRARIES)('of %s', (library) => {
    let tenant: TestTenant;
    let app: CdkApp;

    beforeAll(() => {
      tenant = suite().tenant();
      app = appOf(suite(), library, tenant);
    });

    it('`synth` refuses a third virtual machine, before any engine runs', async () => {
      app.edit('ci-stack.ts', 'vms: [runner, runner] });', 'vms: [runner, runner, runner] as never });');
      expectEnd(await app.cli('synth'), 1, /\[ci\] ThirdInstance: .*runner-0 takes two instances.*section 2B\(iii\)/);
      expect(app.synthesised('ci')).toBeUndefined();
      app.edit('ci-stack.ts', 'vms: [runner, runner, runner] as never });', 'vms: [runner, runner] });');
    });

    it('`diff` shows what would be made and what it costs, with nothing but the mirror', async () => {
      expectEnd(await app.cli('diff', OFFLINE), 0, /Plan: 5 to add, 0 to change, 0 to destroy/, /NewLeases: 2 new leases, at least 24h each, cannot be undone/);
      expect(await phasesOfLeases(suite(), tenant)).toEqual({});
    });

    it('`deploy` leases the Macs and starts the virtual machines', async () => {
      expectEnd(await app.cli('deploy', ...APPROVED), 0, /Resources: 5 added, 0 changed, 0 destroyed/);
      expect(await phasesOfLeases(suite(), tenant)).toEqual(BOUND);
      expect(await phasesOfInstances(suite(), tenant)).toEqual(RUNNING);
    });

    it('`synth --hcl` is the same configuration: its plan has no changes', async () => {
      expectEnd(await app.cli('synth', '--hcl', '--output', 'hcl.out'), 0);
      const stack = join('hcl.out', 'stacks', 'ci');
      expectEnd(await app.run(suite().engine.command, stack, 'init', '-input=false'), 0);
      expectEnd(await app.run(suite().engine.command, stack, 'plan', '-input=false', '-detailed-exitcode'), 0, /No changes/);
    });

    it('`diff` refuses what only the plan can know: a third instance on a lease that another stack made', async () => {
      app.edit('main.ts', 'app.synth();', `new ThirdStack(app, 'third');\napp.synth();`);
      app.edit('main.ts', "import { App } from", `import { ThirdStack } from './third-stack.ts';\nimport { App } from`);
      app.write('third-stack.ts', `
        import { TerraformStack } from '${library}';
        import type { Construct } from 'constructs';
        import { MacOSInstance, MacrackProvider } from 'macrack/${library}';
        export class ThirdStack extends TerraformStack {
          constructor(scope: Construct, id: string) {
            super(scope, id);
            new MacrackProvider(this, 'macrack');
            new MacOSInstance(this, 'third', { name: 'third', lease: '${tenant.namespace}/runner-0', image: 'ghcr.io/acme/macos-sequoia:15.1', shape: { cpu: 1, memory: '1Gi', disk: '20Gi' } });
          }
        }
      `);
      expectEnd(await app.cli('diff', 'third', OFFLINE), 1, /Error: ThirdInstance: lease .*\/runner-0 takes two instances/, /Its slots are held by .*runner-0-vm-0 \(Running/);
      expect(Object.keys(await instancesOnPlane(suite(), tenant)).sort()).toEqual(Object.keys(RUNNING));
      app.edit('main.ts', `new ThirdStack(app, 'third');\n`, '');
    });

    it('`destroy` before the floor is refused, and everything goes on', async () => {
      expectEnd(await app.cli('destroy', ...APPROVED), 1, /Error: EarlyRelease: lease .* cannot go before its floor/, /section 3A\(ii\)/);
      expect(await phasesOfLeases(suite(), tenant)).toEqual(BOUND);
      expect(await phasesOfInstances(suite(), tenant)).toEqual(RUNNING);
    });

    it('`destroy` with `hold` deployed before leaves the leases Held', async () => {
      app.edit('cdktf.json', '"onEarlyRelease": "refuse"', '"onEarlyRelease": "hold"');
      expectEnd(await app.cli('deploy', ...APPROVED), 0, /Resources: 0 added, 2 changed, 0 destroyed/);
      expectEnd(await app.cli('destroy', ...APPROVED), 0, /BilledUntil: lease .* becomes Held/, /Destroy complete! Resources: 5 destroyed/);
      expect(await phasesOfLeases(suite(), tenant)).toEqual({ 'runner-0': 'Held', signing: 'Held' });
      expect(await phasesOfInstances(suite(), tenant)).toEqual({});
    });
  });
});

describeTofu('the example on OpenTofu', { macs: macs(3), tenants: 1 }, (suite) => {
  it('is deployed by the CLI of cdktn, and not destroyed before its floor', async () => {
    const tenant = suite().tenant();
    const app = appOf(suite(), 'cdktn', tenant);
    expectEnd(await app.cli('deploy', ...APPROVED), 0, /Resources: 5 added, 0 changed, 0 destroyed/);
    expectEnd(await app.cli('destroy', ...APPROVED), 1, /Error: EarlyRelease: lease .* cannot go before its floor/);
    expect(await phasesOfLeases(suite(), tenant)).toEqual(BOUND);
    expect(await phasesOfInstances(suite(), tenant)).toEqual(RUNNING);
  });
});
