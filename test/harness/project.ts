import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { header } from '../../cli/demo/configurations';
import { reasonOf, type JsonDiagnostic, type Outcome } from '../../cli/terraform/outcome';
import type { Workspace } from '../../cli/terraform/workspace';

/** A diagnostic, with the line of the configuration that it points at. */
export interface Said {
  readonly reason: string | undefined;
  /** Address of the resource; undefined for the provider and for data sources without one. */
  readonly address: string | undefined;
  /** Source text of the line it points at, trimmed; undefined where it points at none. */
  readonly at: string | undefined;
  readonly summary: string;
  readonly detail: string;
}

/** One object in a state file. */
export interface StateObject {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly tainted: boolean;
}

interface StateFile {
  readonly resources: readonly { readonly mode: string; readonly type: string; readonly name: string; readonly instances: readonly { readonly attributes: Record<string, unknown>; readonly status?: string }[] }[];
}

/** A configuration directory of one tenant, with what its runs said and what its state holds. */
export class Project {
  constructor(readonly workspace: Workspace, private readonly kubeconfig: string) {}

  /** Replaces the configuration: the provider with the tenant's credentials, then `blocks`. */
  configure(...blocks: readonly string[]): this {
    this.workspace.write([header(this.kubeconfig), ...blocks].join('\n'));
    return this;
  }

  plan(...args: readonly string[]): Promise<Outcome> {
    return this.workspace.plan(...args);
  }

  apply(...args: readonly string[]): Promise<Outcome> {
    return this.workspace.apply(...args);
  }

  destroy(...args: readonly string[]): Promise<Outcome> {
    return this.workspace.destroy(...args);
  }

  /** Applies and throws with everything that was said unless it worked. */
  async applied(...args: readonly string[]): Promise<Outcome> {
    const run = await this.apply(...args);
    if (run.code !== 0) throw new Error(`apply exits ${run.code}: ${this.errors(run).map((e) => `${e.summary}: ${e.detail}`).join('\n')}${run.stderr}`);
    return run;
  }

  errors(run: Outcome): Said[] {
    return this.said(run, 'error');
  }

  warnings(run: Outcome): Said[] {
    return this.said(run, 'warning').filter(({ summary }) => !/development overrides are in effect/.test(summary));
  }

  /** Managed objects in the state file, by address; data sources by `data.` address. */
  state(): Record<string, StateObject> {
    const path = join(this.workspace.dir, 'terraform.tfstate');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const { resources } = text === '' ? { resources: [] } : JSON.parse(text) as StateFile;
    return Object.fromEntries(resources.flatMap(({ mode, type, name, instances }) =>
      instances.map(({ attributes, status }) => [`${mode === 'data' ? 'data.' : ''}${type}.${name}`, { attributes, tainted: status === 'tainted' }])));
  }

  private said({ diagnostics }: Outcome, severity: JsonDiagnostic['severity']): Said[] {
    return diagnostics.filter((d) => d.severity === severity).map((d) => ({
      reason: reasonOf(d), address: d.address, at: this.lineOf(d), summary: d.summary, detail: d.detail,
    }));
  }

  private lineOf({ range }: JsonDiagnostic): string | undefined {
    if (range === undefined) return undefined;
    return readFileSync(join(this.workspace.dir, range.filename), 'utf8').split('\n')[range.start.line - 1]?.trim();
  }
}

/** What a run plans or does, by address: `create`, `update`, `replace`, `delete`. */
export function actions(run: Outcome): Record<string, string> {
  return Object.fromEntries(run.events.flatMap(({ type, change }) =>
    (type === 'planned_change' && change !== undefined ? [[change.resource.addr, change.action] as const] : [])));
}

/** The text of a run in the words of its diagnostics. */
export function words({ diagnostics }: Outcome): string {
  return diagnostics.map((d) => `${d.summary}\n${d.detail}`).join('\n');
}
