import { mkdtempSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { planeLog } from '../../cli/plane-log';
import { ageEverything } from './ageing';
import { Project } from './project';
import { describeRealPlane } from './real-plane-suite';
import { auditedRequests, observedRequests, type RequestLog } from '../../realplane/request-log';
import { type Engine, tryFindEngine } from '../../cli/terraform/engine';
import { Workspace } from '../../cli/terraform/workspace';
import { type Development, type SimulatedMac, startDevelopmentPlane } from '../../devplane/development-plane';
import { installForDevelopment } from '../../provider/terraform/install/development-install';
import { providerProgram } from '../../provider/terraform/install/program';
import { type RealDevelopment, startRealDevelopment } from '../../realplane/real-development';
import { RELEASE_MARGIN_MS } from '../../sdk/api/timing';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { FLOOR_MS } from '../../sdk/rules/limits';

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

/** What suites know of a plane, whichever it is. */
export type World = Omit<Development, 'plane'>;

/** A plane of the test file's own, and the real engine with the built provider. */
export interface PlaneSuite {
  readonly development: World;
  readonly admin: ControlPlane;
  readonly engine: Engine;
  /** Directory of the suite; removed at its end. */
  readonly directory: string;
  readonly requests: RequestLog;
  tenant(): TestTenant;
  workspace(name: string, env?: Readonly<Record<string, string>>): Workspace;
  /** A directory of the tenant's own; with another kubeconfig than the editor's where one is given. */
  project(tenant: TestTenant, name?: string, kubeconfig?: string): Project;
  /** Puts everything that is leased now past its floor and the operator's margin: by the clock, or by age. @param extraMs for floors above the least */
  passFloor(extraMs?: number): Promise<void>;
}

/** On the development plane, whose requests can be stopped and whose clock can be moved. */
export interface TerraformSuite extends PlaneSuite {
  readonly development: Development;
}

/** Macs named `<prefix>01`, `<prefix>02`, … */
export function macs(count: number, name: SimulatedMac['class'] = 'base', prefix: string = `c02${name}`): SimulatedMac[] {
  return Array.from({ length: count }, (_, i) => ({ serial: `${prefix}${String(i + 1).padStart(2, '0')}`, class: name }));
}

const main = providerProgram(resolve(__dirname, '..', '..', 'dist'));

/** What differs between the planes. */
interface Stage<W extends World> {
  readonly development: W;
  readonly requests: (admin: ControlPlane) => RequestLog;
  readonly passFloor: PlaneSuite['passFloor'];
}

async function development(directory: string, tenants: readonly string[], { operatorPlane, ...options }: SuiteOptions): Promise<Stage<Development>> {
  const started = await startDevelopmentPlane({
    directory, macs: [...(options.macs ?? macs(12))], tenants: [...tenants], logger: planeLog(directory).logger, log: () => undefined, ...(operatorPlane && { operatorPlane }),
  });
  return {
    development: started, requests: () => observedRequests(started.plane.requests),
    passFloor: (extraMs = 0) => Promise.resolve(started.plane.clock.advance(FLOOR_MS + 2 * RELEASE_MARGIN_MS + extraMs)),
  };
}

async function real(directory: string, tenants: readonly string[], options: SuiteOptions): Promise<Stage<RealDevelopment>> {
  const started = await startRealDevelopment({ macs: options.macs ?? macs(12), tenants, logger: planeLog(directory).logger });
  return {
    development: started, requests: (admin) => auditedRequests(started.plane.apiAuditFile, admin),
    passFloor: (extraMs = 0) => ageEverything(started, FLOOR_MS + 2 * RELEASE_MARGIN_MS + extraMs),
  };
}

async function open<W extends World>(engine: Engine, options: SuiteOptions, start: (directory: string, tenants: readonly string[], options: SuiteOptions) => Promise<Stage<W>>): Promise<PlaneSuite & { readonly development: W; close(): Promise<void> }> {
  if (!existsSync(main)) throw new Error(`the provider is not built (${main} is missing): run \`npm run build\` first`);
  const directory = mkdtempSync(join(tmpdir(), 'macrack-suite-'));
  const names = Array.from({ length: options.tenants ?? 20 }, (_, i) => `team-${String(i + 1).padStart(2, '0')}`);
  const { development, requests, passFloor } = await start(directory, names, options);
  const admin = await development.connectAs('macrack-admin');
  const { configFile } = installForDevelopment(join(directory, 'provider'), { main });
  const workspace = (name: string, env?: Readonly<Record<string, string>>) => new Workspace({ engine, dir: join(directory, 'work', name), cliConfig: configFile, ...(env === undefined ? {} : { env }) });
  return {
    development, admin, engine, directory, workspace, requests: requests(admin), passFloor,
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

function describeOpened<S extends PlaneSuite>(name: string, openOn: (engine: Engine) => Promise<S & { close(): Promise<void> }>, tests: (suite: () => S) => void): void {
  const engine = tryFindEngine();
  if (engine === undefined && process.env.CI !== 'true') {
    describe.skip(`${name} (skipped: neither terraform nor tofu is on PATH)`, () => tests(() => { throw new Error('skipped'); }));
    return;
  }
  describe(name, () => {
    let opened: (S & { close(): Promise<void> }) | undefined;
    beforeAll(async () => {
      if (engine === undefined) throw new Error('neither terraform nor tofu is on PATH');
      opened = await openOn(engine);
    });
    afterAll(() => opened?.close());
    tests(() => {
      if (opened === undefined) throw new Error('the suite is open only inside tests and hooks');
      return opened;
    });
  });
}

/**
 * A suite that drives real terraform (or tofu) on a development plane. Without either it is a visible skip; with CI=true a failure.
 * `tests` gets a function that returns the suite once it is open, that is inside tests and hooks.
 */
export function describeTerraform(name: string, options: SuiteOptions, tests: (suite: () => TerraformSuite) => void): void {
  describeOpened(name, (engine) => open(engine, options, development), tests);
}

/** The same on Kubernetes itself. Skipped, visibly, also where that is not built. */
export function describeTerraformOnRealPlane(name: string, options: Omit<SuiteOptions, 'operatorPlane'>, tests: (suite: () => PlaneSuite) => void): void {
  describeRealPlane(name, () => describeOpened('driven by terraform', (engine) => open(engine, options, real), tests));
}
