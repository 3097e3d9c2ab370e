import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type PlaneOfSuite, type SuiteOptions, type TestTenant, type Tool, type World, describeOpened, openDevelopmentPlane, openRealPlane } from './plane-suite';
import { Project } from './project';
import { describeRealPlane } from './real-plane-suite';
import { builtTofu } from './built-tofu';
import { type Engine, tryFindEngine } from '../../cli/terraform/engine';
import { Workspace } from '../../cli/terraform/workspace';
import type { Development } from '../../devplane/development-plane';
import { installForDevelopment } from '../../provider/terraform/install/development-install';
import { providerProgram } from '../../provider/terraform/install/program';

export { macs, type TestTenant } from './plane-suite';

/** A plane of the test file's own, and the real engine with the built provider. */
export interface PlaneSuite extends Omit<PlaneOfSuite, 'close'> {
  readonly engine: Engine;
  workspace(name: string, env?: Readonly<Record<string, string>>): Workspace;
  /** A directory of the tenant's own; with another kubeconfig than the editor's where one is given. */
  project(tenant: TestTenant, name?: string, kubeconfig?: string): Project;
}

/** On the development plane, whose requests can be stopped and whose clock can be moved. */
export interface TerraformSuite extends PlaneSuite {
  readonly development: Development;
}

const main = providerProgram(resolve(__dirname, '..', '..', 'dist'));

async function open<W extends World>(engine: Engine, plane: () => Promise<PlaneOfSuite<W>>): Promise<PlaneSuite & PlaneOfSuite<W>> {
  if (!existsSync(main)) throw new Error(`the provider is not built (${main} is missing): run \`npm run build\` first`);
  const opened = await plane();
  const { directory } = opened;
  const { configFile } = installForDevelopment(join(directory, 'provider'), { main });
  const workspace = (name: string, env?: Readonly<Record<string, string>>) => new Workspace({ engine, dir: join(directory, 'work', name), cliConfig: configFile, ...(env === undefined ? {} : { env }) });
  return { ...opened, engine, workspace, project: (tenant, name = 'main', kubeconfig = tenant.kubeconfig) => new Project(workspace(join(tenant.namespace, name)), kubeconfig) };
}

/** With ENGINE_OF_TESTS=tofu OpenTofu, else the first engine on PATH. */
const chosenEngine = (): Tool<Engine> => (process.env.ENGINE_OF_TESTS === 'tofu' ? builtTofu() : { tool: tryFindEngine(), why: 'neither terraform nor tofu is on PATH' });

/**
 * A suite that drives real terraform (or tofu: see the jest project opentofu) on a development plane. Without either it is a visible skip; with CI=true a failure.
 * `tests` gets a function that returns the suite once it is open, that is inside tests and hooks.
 */
export function describeTerraform(name: string, options: SuiteOptions, tests: (suite: () => TerraformSuite) => void): void {
  describeOpened(name, chosenEngine(), (engine) => open(engine, () => openDevelopmentPlane(options)), tests);
}

/** The same with OpenTofu, whatever else is there. Without it, it is a visible skip; with CI=true a failure. */
export function describeTofu(name: string, options: SuiteOptions, tests: (suite: () => TerraformSuite) => void): void {
  describeOpened(name, builtTofu(), (engine) => open(engine, () => openDevelopmentPlane(options)), tests);
}

/** The same on Kubernetes itself. Skipped, visibly, also where that is not built. */
export function describeTerraformOnRealPlane(name: string, options: Omit<SuiteOptions, 'operatorPlane'>, tests: (suite: () => PlaneSuite) => void): void {
  describeRealPlane(name, () => describeOpened('driven by terraform', chosenEngine(), (engine) => open(engine, () => openRealPlane(options)), tests));
}
