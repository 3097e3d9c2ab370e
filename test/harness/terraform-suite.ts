import { mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { planeLog } from '../../cli/plane-log';
import { Project } from './project';
import { type Engine, tryFindEngine } from '../../cli/terraform/engine';
import { Workspace } from '../../cli/terraform/workspace';
import { type Development, type SimulatedMac, startDevelopmentPlane } from '../../devplane/development-plane';
import { installForDevelopment } from '../../provider/terraform/install/development-install';
import { providerProgram } from '../../provider/terraform/install/program';
import type { ControlPlane } from '../../sdk/client/control-plane';

/** Long enough for several runs of the engine on a busy machine; tests wait for conditions, this only ends a hang. */
export const TERRAFORM_DEADLINE_MS = 240_000;

/** A namespace that no other test of the suite uses, with credentials of its own. */
export interface TestTenant {
  readonly namespace: string;
  /** Kubeconfig of the editor. */
  readonly kubeconfig: string;
  /** Kubeconfig of a user who may only read. */
  readonly viewerKubeconfig: string;
}

export interface SuiteOptions {
  /** Default: twelve of class base. */
  readonly macs?: readonly SimulatedMac[];
  /** How many fresh tenants the tests may take; default 20. */
  readonly tenants?: number;
  /** What each operator that starts talks through. */
  readonly operatorPlane?: (client: ControlPlane) => ControlPlane;
}

/** A development plane of the test file's own, and the real engine with the built provider. */
export interface TerraformSuite {
  readonly development: Development;
  readonly admin: ControlPlane;
  readonly engine: Engine;
  /** Directory of the suite; removed at its end. */
  readonly directory: string;
  tenant(): TestTenant;
  workspace(name: string, env?: Readonly<Record<string, string>>): Workspace;
  /** A directory of the tenant's own; with another kubeconfig than the editor's where one is given. */
  project(tenant: TestTenant, name?: string, kubeconfig?: string): Project;
}

/** Macs named `<prefix>01`, `<prefix>02`, … */
export function macs(count: number, name: SimulatedMac['class'] = 'base', prefix: string = `c02${name}`): SimulatedMac[] {
  return Array.from({ length: count }, (_, i) => ({ serial: `${prefix}${String(i + 1).padStart(2, '0')}`, class: name }));
}

const main = providerProgram(resolve(__dirname, '..', '..', 'dist'));

async function open(engine: Engine, options: SuiteOptions): Promise<TerraformSuite & { close(): Promise<void> }> {
  if (!existsSync(main)) throw new Error(`the provider is not built (${main} is missing): run \`npm run build\` first`);
  const directory = mkdtempSync(join(tmpdir(), 'macrack-suite-'));
  const names = Array.from({ length: options.tenants ?? 20 }, (_, i) => `team-${String(i + 1).padStart(2, '0')}`);
  const { operatorPlane } = options;
  const development = await startDevelopmentPlane({
    directory, macs: [...(options.macs ?? macs(12))], tenants: [...names], logger: planeLog(directory).logger, log: () => undefined, ...(operatorPlane && { operatorPlane }),
  });
  const admin = await development.connectAs('macrack-admin');
  const { configFile } = installForDevelopment(join(directory, 'provider'), { main });
  const workspace = (name: string, env?: Readonly<Record<string, string>>) => new Workspace({ engine, dir: join(directory, 'work', name), cliConfig: configFile, ...(env === undefined ? {} : { env }) });
  return {
    development, admin, engine, directory, workspace,
    project: (tenant, name = 'main', kubeconfig = tenant.kubeconfig) => new Project(workspace(join(tenant.namespace, name)), kubeconfig),
    tenant() {
      const namespace = names.shift();
      if (namespace === undefined) throw new Error('the suite has no tenant left: raise SuiteOptions.tenants');
      return { namespace, kubeconfig: development.kubeconfigs[namespace] ?? '', viewerKubeconfig: development.kubeconfigs[`${namespace}-viewer`] ?? '' };
    },
    async close() {
      admin.close();
      await development.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * A suite that drives real terraform (or tofu). Without either it is a visible skip; with CI=true a failure.
 * `tests` gets a function that returns the suite once it is open, that is inside tests and hooks.
 */
export function describeTerraform(name: string, options: SuiteOptions, tests: (suite: () => TerraformSuite) => void): void {
  const engine = tryFindEngine();
  if (engine === undefined && process.env.CI !== 'true') {
    describe.skip(`${name} (skipped: neither terraform nor tofu is on PATH)`, () => tests(() => { throw new Error('skipped'); }));
    return;
  }
  describe(name, () => {
    let opened: Awaited<ReturnType<typeof open>> | undefined;
    beforeAll(async () => {
      if (engine === undefined) throw new Error('neither terraform nor tofu is on PATH');
      opened = await open(engine, options);
    }, TERRAFORM_DEADLINE_MS);
    afterAll(() => opened?.close(), TERRAFORM_DEADLINE_MS);
    tests(() => {
      if (opened === undefined) throw new Error('the suite is open only inside tests and hooks');
      return opened;
    });
  });
}
