import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Development, startDevelopmentPlane } from '../../devplane/development-plane';
import type { Instant } from '../../sdk/rules/instant';
import { planeLog } from '../plane-log';
import type { AuditAnswer, Demo, Tenant } from './step';
import type { Project, Ran, Tool, Workshop } from './tool';

/** A demo on a plane of its own. */
export interface Session {
  readonly demo: Demo;
  /** Programs, states and logs of the demo. */
  readonly directory: string;
  /** Ends the plane; its files go too, unless they are to be looked at. */
  close(keepFiles: boolean): Promise<void>;
}

function tenant(namespace: string, kubeconfig: string, workshop: Workshop): Tenant {
  const made = new Map<string, Project>();
  return {
    namespace,
    kubeconfig,
    project(name) {
      const known = made.get(name) ?? workshop.project({ namespace, kubeconfig }, name);
      made.set(name, known);
      return known;
    },
  };
}

async function answer(plane: Development, from: Instant, to: Instant): Promise<AuditAnswer> {
  const { audit } = plane.operator();
  const rows = await audit.rows();
  const counted: Record<string, number> = {};
  for (const row of rows.filter((r) => r.stage === 'outcome' || r.stage === 'event')) counted[row.type] = (counted[row.type] ?? 0) + 1;
  return { verdict: (await audit.proveFleet({ from, to })).verdict, rows: counted };
}

/** Starts a plane with simulated Macs and two tenants in a directory of its own. */
export async function openSession(tool: Tool, show: (tenant: Tenant, run: Ran) => void): Promise<Session> {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-demo-'));
  const plane = await startDevelopmentPlane({ directory, logger: planeLog(directory).logger });
  const admin = await plane.connectAs('macrack-admin');
  const from = await admin.serverTime();
  const workshop = tool.install(directory);
  const member = (name: string): Tenant => tenant(name, plane.kubeconfigs[name] ?? '', workshop);
  return {
    directory,
    demo: {
      tool, a: member('tenant-a'), b: member('tenant-b'), admin, show,
      advance: (milliseconds) => plane.plane.clock.advance(milliseconds),
      audit: async () => answer(plane, from, await admin.serverTime()),
    },
    async close(keepFiles) {
      admin.close();
      await plane.stop();
      if (!keepFiles) rmSync(directory, { recursive: true, force: true });
    },
  };
}
