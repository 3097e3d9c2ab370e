import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Development, startDevelopmentPlane } from '../devplane/development-plane';
import { ADMIN } from '../realplane/identities';
import { startRealDevelopment } from '../realplane/real-development';
import { auditedRequests, observedRequests, type RequestLog } from '../realplane/request-log';
import type { ControlPlane } from '../sdk/client/control-plane';

export const PLANES = ['dev', 'real'] as const;
export type PlaneName = (typeof PLANES)[number];

export const TENANT = 'tenant-a';

/** A plane with operator and agents, and what a measure needs of it. */
export interface World {
  readonly name: PlaneName;
  readonly admin: ControlPlane;
  readonly tenant: ControlPlane;
  readonly requests: RequestLog;
  readonly operator: Development['operator'];
  stop(): Promise<void>;
}

const quiet = pino({ level: 'silent' });
const fleet = (macs: number) => Array.from({ length: macs }, (_, index) => ({ serial: `sim${String(index + 1).padStart(4, '0')}`, class: 'base' as const }));

type Ground = Pick<Development, 'connectAs' | 'operator' | 'stop'> & { requests(admin: ControlPlane): RequestLog };

async function developmentGround(macs: number): Promise<Ground> {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-bench-'));
  const world = await startDevelopmentPlane({ directory, macs: fleet(macs), tenants: [TENANT], logger: quiet, log: () => undefined });
  return {
    ...world, requests: () => observedRequests(world.plane.requests),
    stop: async () => {
      await world.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function realGround(macs: number): Promise<Ground> {
  const world = await startRealDevelopment({ macs: fleet(macs), tenants: [TENANT], logger: quiet });
  return { ...world, requests: (admin) => auditedRequests(world.plane.apiAuditFile, admin) };
}

/** Boots a plane with as many Macs of class base. Nothing of it outlives `stop`. */
export async function openWorld(name: PlaneName, macs: number): Promise<World> {
  const ground = await (name === 'real' ? realGround(macs) : developmentGround(macs));
  const [admin, tenant] = await Promise.all([ground.connectAs(ADMIN), ground.connectAs(TENANT)]);
  return {
    name, admin, tenant, requests: ground.requests(admin), operator: ground.operator,
    stop: async () => {
      admin.close();
      tenant.close();
      await ground.stop();
    },
  };
}
