import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiObject } from '../../../devplane/json';
import { readManifests } from '../../../devplane/manifests';
import { deployDirectory } from '../../../devplane/package-files';
import { startPlane } from '../../../devplane/plane';
import type { KeyPair } from '../../../devplane/server/certificates';
import { ageClaim } from '../../../realplane/ageing';
import { groupsOf } from '../../../realplane/identities';
import { startRealPlane } from '../../../realplane/real-plane';
import type { Servers } from '../../../realplane/servers';
import { makeTenants, tenantObjects } from '../../../realplane/tenants';
import { RELEASE_MARGIN_MS } from '../../../sdk/api/timing';
import { connect } from '../../../sdk/client';
import type { ControlPlane } from '../../../sdk/client/control-plane';
import { processTimers, type Timers } from '../../../sdk/client/timers';
import { FLOOR_MS } from '../../../sdk/rules/limits';

/** A lease that holds a Mac. */
export interface LeasedMac {
  readonly serial: string;
  readonly lease: { readonly namespace: string; readonly name: string };
}

/** A plane without operator and agents, and what faults need of it. */
export interface Ground {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  /** Audit record and journals go there. Removed by `stop`. */
  readonly directory: string;
  /** Of the plane's clock. */
  readonly timers: Timers;
  identify(user: string): Promise<KeyPair>;
  serve(names: { dns: string[]; ips: string[] }): Promise<KeyPair>;
  load(objects: readonly ApiObject[]): Promise<void>;
  /** @param ca PEM */
  redirectWebhooks(origin: string, ca: string): Promise<void>;
  /** Brings these leases past floor and margin: ages each where there is no clock to move, else moves the clock for all. */
  passFloor(leases: readonly LeasedMac[]): Promise<void>;
  /** True where stamps are rewritten, so that the record shows claims that were too short. */
  readonly ages: boolean;
  /** Processes that can be killed; none on the development plane. */
  readonly servers?: Servers;
  /** Moves the clock, where there is one to move. */
  readonly advance?: (ms: number) => void;
  stop(): Promise<void>;
}

export const GROUNDS = ['dev', 'real'] as const;
export type GroundName = (typeof GROUNDS)[number];

const PASSED_MS = FLOOR_MS + 2 * RELEASE_MARGIN_MS;

async function developmentGround(tenants: readonly string[]): Promise<Ground> {
  const deploy = deployDirectory();
  const directory = mkdtempSync(join(tmpdir(), 'macrack-faults-'));
  const plane = await startPlane({
    crds: join(deploy, 'crds'), rbac: join(deploy, 'rbac'), webhooks: join(deploy, 'webhooks'),
    policies: ['policies', 'policies/mutating', 'clock-policy'].map((name) => join(deploy, name)),
    objects: [...readManifests(join(deploy, 'classes')), ...tenantObjects(tenants)], log: () => undefined,
  });
  return {
    url: plane.url, ca: plane.ca, directory, timers: plane.timers, ages: false,
    identify: (user) => plane.identify(user, groupsOf(user)), serve: (names) => plane.serve(names), load: (objects) => plane.load([...objects]),
    redirectWebhooks: (origin, ca) => Promise.resolve(plane.redirectWebhooks(origin, ca)),
    passFloor: () => Promise.resolve(plane.clock.advance(PASSED_MS)), advance: (ms) => plane.clock.advance(ms),
    stop: async () => {
      await plane.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function realGround(tenants: readonly string[]): Promise<Ground> {
  const plane = await startRealPlane();
  try {
    await makeTenants(plane, tenants);
  } catch (error) {
    await plane.stop();
    throw error;
  }
  const { url, ca, directory, servers, identify, serve } = plane;
  let webhooks = '';
  return {
    url, ca, directory, servers, identify, serve, timers: processTimers, ages: true,
    load: (objects) => plane.load(objects),
    redirectWebhooks: async (origin, pem) => {
      // Files that do not change are not loaded again.
      if (webhooks !== origin) await plane.redirectWebhooks(origin, pem);
      webhooks = origin;
    },
    passFloor: async (leases) => { for (const leased of leases) await ageClaim(plane.store, leased, PASSED_MS); },
    stop: () => plane.stop(),
  };
}

export function openGround(name: GroundName, tenants: readonly string[]): Promise<Ground> {
  return name === 'real' ? realGround(tenants) : developmentGround(tenants);
}

/** A client with the identity of a user, at the plane's own address or at another (a proxy's). The caller closes it. @param timeoutMs of a call with its retries */
export async function connectAs(ground: Ground, user: string, host: string = ground.url, timeoutMs = 30_000): Promise<ControlPlane> {
  const { certificate, key } = await ground.identify(user);
  const watch = { backOffMs: 50, longestBackOffMs: 1000 };
  return connect({ host, clusterCaCertificate: ground.ca, clientCertificate: certificate, clientKey: key, env: {}, watch, timeoutMs });
}
