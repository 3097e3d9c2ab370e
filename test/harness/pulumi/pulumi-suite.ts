import { join } from 'node:path';
import type { Engine } from '../../../cli/pulumi/engine';
import { assertBuilt, installMacrack } from '../../../cli/pulumi/install';
import type { Development } from '../../../devplane/development-plane';
import { describeOpened, openDevelopmentPlane, openRealPlane, type PlaneOfSuite, type SuiteOptions, type TestTenant, type World } from '../plane-suite';
import { describeRealPlane } from '../real-plane-suite';
import { type Programs, programs, pulumiTool } from './programs';
import { PulumiProject } from './pulumi-project';

/** A plane of the test file's own, and the real engine with the built package. */
export interface PulumiSuite<W extends World = Development> extends PlaneOfSuite<W>, Programs {
  /**
   * A stack of the tenant's own, in a fresh directory; its configuration names the editor's kubeconfig, or another one where it is given.
   * @param name of the Pulumi project as well
   */
  project(tenant: TestTenant, name?: string, kubeconfig?: string): PulumiProject;
}

async function withPrograms<W extends World>(engine: Engine, open: () => Promise<PlaneOfSuite<W>>): Promise<PulumiSuite<W>> {
  assertBuilt();
  const plane = await open();
  const { workspace } = programs(engine, plane.directory, installMacrack);
  return {
    ...plane, engine, workspace,
    project: (tenant, name = 'main', kubeconfig = tenant.kubeconfig) => new PulumiProject(workspace(join(tenant.namespace, name), { 'macrack:kubeconfig': kubeconfig })),
  };
}

/** A suite that drives the real pulumi on a development plane. Without pulumi it is a visible skip; with CI=true a failure. */
export function describePulumi(name: string, options: SuiteOptions, tests: (suite: () => PulumiSuite) => void): void {
  describeOpened(name, pulumiTool(), (engine) => withPrograms(engine, () => openDevelopmentPlane(options)), tests);
}

/** The same on Kubernetes itself. Skipped, visibly, also where that is not built. */
export function describePulumiOnRealPlane(name: string, options: Omit<SuiteOptions, 'operatorPlane'>, tests: (suite: () => PulumiSuite<World>) => void): void {
  describeRealPlane(name, () => describeOpened('driven by pulumi', pulumiTool(), (engine) => withPrograms(engine, () => openRealPlane(options)), tests));
}
