import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Development, startDevelopmentPlane } from '../../devplane/development-plane';
import { installForDevelopment } from '../../provider/terraform/install/development-install';
import type { Instant } from '../../sdk/rules/instant';
import { planeLog } from '../plane-log';
import { findEngine } from '../terraform/engine';
import type { Outcome } from '../terraform/outcome';
import { Workspace, type WorkspaceOptions } from '../terraform/workspace';
import type { AuditAnswer, Demo, Tenant } from './step';

/** A demo on a plane of its own. */
export interface Session {
  readonly demo: Demo;
  /** Configurations, states and logs of the demo. */
  readonly directory: string;
  /** Ends the plane; its files go too, unless they are to be looked at. */
  close(keepFiles: boolean): Promise<void>;
}

function tenant(namespace: string, kubeconfig: string, workspaces: string, options: Omit<WorkspaceOptions, 'dir'>): Tenant {
  const made = new Map<string, Workspace>();
  return {
    namespace,
    kubeconfig,
    workspace(name) {
      const known = made.get(name) ?? new Workspace({ ...options, dir: join(workspaces, namespace, name) });
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
export async function openSession(show: (tenant: Tenant, run: Outcome) => void): Promise<Session> {
  const engine = findEngine();
  const directory = mkdtempSync(join(tmpdir(), 'macrack-demo-'));
  const plane = await startDevelopmentPlane({ directory, logger: planeLog(directory).logger });
  const admin = await plane.connectAs('macrack-admin');
  const from = await admin.serverTime();
  const cliConfig = installForDevelopment(join(directory, 'provider')).configFile;
  const member = (name: string): Tenant => tenant(name, plane.kubeconfigs[name] ?? '', directory, { engine, cliConfig });
  return {
    directory,
    demo: {
      a: member('tenant-a'), b: member('tenant-b'), admin, show,
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
