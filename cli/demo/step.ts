import type { Kind, KubeObject } from '../../sdk/api/object';
import type { ControlPlane } from '../../sdk/client/control-plane';
import type { Project, Ran, Tool, Words } from './tool';

/** One thing that a step found, judged by exit codes, the engine's JSON and the state of the plane. */
export interface Finding {
  readonly claim: string;
  readonly ok: boolean;
  /** What was seen, whether or not it was hoped for. */
  readonly saw: string;
}

/** A tenant with its own credentials and programs. */
export interface Tenant {
  readonly namespace: string;
  readonly kubeconfig: string;
  /** A program of the tenant with its state, made on first use. */
  project(name: string): Project;
}

/** What the steps act on. */
export interface Demo {
  readonly tool: Tool;
  readonly a: Tenant;
  readonly b: Tenant;
  /** The administrator's eyes: reads only. */
  readonly admin: ControlPlane;
  /** Moves the clock of the development plane on. */
  readonly advance: (milliseconds: number) => void;
  readonly audit: () => Promise<AuditAnswer>;
  /** Prints what the user would have typed and what the engine answered. */
  readonly show: (tenant: Tenant, run: Ran) => void;
}

/** The audit log's answer, as far as the demo reads it. */
export interface AuditAnswer {
  readonly verdict: string;
  readonly rows: Readonly<Record<string, number>>;
}

export interface Step {
  readonly title: (words: Words) => string;
  run(demo: Demo): Promise<readonly Finding[]>;
}

export function finding(claim: string, ok: boolean, saw: string): Finding {
  return { claim, ok, saw };
}

/** All objects of a kind, on one line each, for comparing the plane before and after. */
export async function snapshot<T extends KubeObject>(plane: ControlPlane, kind: Kind<T>): Promise<string[]> {
  const { items } = await plane.list(kind);
  return items.map((o) => `${o.metadata.namespace ?? ''}/${o.metadata.name}@${o.metadata.uid}`).sort();
}
