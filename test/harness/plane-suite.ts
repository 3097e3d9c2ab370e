import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planeLog } from '../../cli/plane-log';
import { ageEverything } from './ageing';
import { auditedRequests, observedRequests, type RequestLog } from '../../realplane/request-log';
import { type Development, type SimulatedMac, startDevelopmentPlane } from '../../devplane/development-plane';
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

/** A plane of the test file's own. */
export interface PlaneOfSuite<W extends World = World> {
  readonly development: W;
  readonly admin: ControlPlane;
  /** Directory of the suite; removed at its end. */
  readonly directory: string;
  readonly requests: RequestLog;
  tenant(): TestTenant;
  /** Puts everything that is leased now past its floor and the operator's margin: by the clock, or by age. @param extraMs for floors above the least */
  passFloor(extraMs?: number): Promise<void>;
  close(): Promise<void>;
}

/** Macs named `<prefix>01`, `<prefix>02`, … */
export function macs(count: number, name: SimulatedMac['class'] = 'base', prefix: string = `c02${name}`): SimulatedMac[] {
  return Array.from({ length: count }, (_, i) => ({ serial: `${prefix}${String(i + 1).padStart(2, '0')}`, class: name }));
}

/** What differs between the planes. */
interface Stage<W extends World> {
  readonly development: W;
  readonly requests: (admin: ControlPlane) => RequestLog;
  readonly passFloor: PlaneOfSuite['passFloor'];
}

type Start<W extends World> = (directory: string, tenants: readonly string[], options: SuiteOptions) => Promise<Stage<W>>;

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

async function open<W extends World>(start: Start<W>, options: SuiteOptions): Promise<PlaneOfSuite<W>> {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-suite-'));
  const names = Array.from({ length: options.tenants ?? 20 }, (_, i) => `team-${String(i + 1).padStart(2, '0')}`);
  const { development, requests, passFloor } = await start(directory, names, options);
  const admin = await development.connectAs('macrack-admin');
  return {
    development, admin, directory, requests: requests(admin), passFloor,
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

/** A development plane, whose requests can be stopped and whose clock can be moved. */
export const openDevelopmentPlane = (options: SuiteOptions): Promise<PlaneOfSuite<Development>> => open(development, options);

/** Kubernetes itself. */
export const openRealPlane = (options: SuiteOptions): Promise<PlaneOfSuite<RealDevelopment>> => open(real, options);

/** The tool that a suite drives, or the sentence that says why there is none. */
export interface Tool<T> {
  readonly tool?: T | undefined;
  readonly why?: string | undefined;
}

/**
 * A suite on something that is opened for it. Without its tool it is a visible skip; with CI=true a failure. `tests` gets a function
 * that returns what was opened, inside tests and hooks.
 */
export function describeOpened<T, S>(name: string, { tool, why = '' }: Tool<T>, openWith: (tool: T) => Promise<S & { close(): Promise<void> }>, tests: (suite: () => S) => void): void {
  if (tool === undefined && process.env.CI !== 'true') {
    describe.skip(`${name} (skipped: ${why})`, () => tests(() => { throw new Error('skipped'); }));
    return;
  }
  describe(name, () => {
    let opened: (S & { close(): Promise<void> }) | undefined;
    beforeAll(async () => {
      if (tool === undefined) throw new Error(why);
      opened = await openWith(tool);
    });
    afterAll(() => opened?.close());
    tests(() => {
      if (opened === undefined) throw new Error('the suite is open only inside tests and hooks');
      return opened;
    });
  });
}
