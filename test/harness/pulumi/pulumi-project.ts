import { type Diagnostic, type Outcome, reasonOf } from '../../../cli/pulumi/outcome';
import type { Files } from '../../../cli/pulumi/project-files';
import { worked, type Workspace } from '../../../cli/pulumi/workspace';

/** A message, with the resource it is bound to. */
export interface Said {
  readonly reason: string | undefined;
  /** Pulumi's name of the resource; that of the stack where it is bound to the stack; undefined where to none. */
  readonly resource: string | undefined;
  readonly message: string;
}

/** One resource in the state. */
export interface StateObject {
  readonly urn: string;
  readonly type: string;
  readonly id: string | undefined;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

export function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf('::') + 2);
}

function said(run: Outcome, severity: Diagnostic['severity']): Said[] {
  return run.diagnostics.filter((d) => d.severity === severity).map((d) => ({ reason: reasonOf(d), resource: d.urn === undefined || d.urn === '' ? undefined : nameOf(d.urn), message: d.message }));
}

/** A program of one tenant and its stack, with what its runs said and what its state holds. */
export class PulumiProject {
  constructor(readonly workspace: Workspace) {}

  /** Replaces the program: macrack and pulumi are there by those names, then `lines`. */
  program(...lines: readonly string[]): this {
    return this.files(['const pulumi = require("@pulumi/pulumi");', 'const macrack = require("macrack/pulumi");', ...lines, ''].join('\n'));
  }

  /** Replaces the program as it stands: the text of `index.js`, or files by path. */
  files(program: string | Files): this {
    this.workspace.write(program);
    return this;
  }

  preview(...args: readonly string[]): Promise<Outcome> {
    return this.workspace.preview(...args);
  }

  up(...args: readonly string[]): Promise<Outcome> {
    return this.workspace.up(...args);
  }

  /** `up --skip-preview`. */
  upWithoutPreview(...args: readonly string[]): Promise<Outcome> {
    return this.workspace.upWithoutPreview(...args);
  }

  /** `destroy --run-program`. */
  destroy(...args: readonly string[]): Promise<Outcome> {
    return this.workspace.destroy(...args);
  }

  /** Updates without a preview, which saves the time of one, and throws with everything that was said unless it worked. */
  async updated(...args: readonly string[]): Promise<Outcome> {
    return worked(await this.upWithoutPreview(...args));
  }

  errors(run: Outcome): Said[] {
    return said(run, 'error');
  }

  warnings(run: Outcome): Said[] {
    return said(run, 'warning');
  }

  /** Resources in the state by name; without the stack and the providers. */
  async state(): Promise<Record<string, StateObject>> {
    const { deployment } = await this.workspace.exportState();
    return Object.fromEntries((deployment.resources ?? []).filter(({ type }) => !isMachinery(type)).map(({ urn, type, id, inputs = {}, outputs = {} }) => [nameOf(urn), { urn, type, id, inputs, outputs }]));
  }
}

const isMachinery = (type: string): boolean => type === 'pulumi:pulumi:Stack' || type.startsWith('pulumi:providers:');

/** What a run plans or did, by name of the resource, in the engine's words (`create`, `update`, `delete`, `replace`, …); unchanged ones are left out. */
export function actions({ steps }: Outcome): Record<string, string> {
  return Object.fromEntries(steps.filter(({ op, urn }) => op !== 'same' && !isMachinery(urn.split('::')[2] ?? '')).map(({ op, urn }) => [nameOf(urn), op]));
}

/** The text of a run in the words of its messages. */
export function words({ diagnostics }: Outcome): string {
  return diagnostics.map(({ message }) => message).join('\n');
}
