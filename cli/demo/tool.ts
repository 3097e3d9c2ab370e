import type { Declared } from './declared';

/** What a run left behind, as far as the demo reads it. */
export interface Ran {
  /** As a user would have typed it. */
  readonly typed: string;
  readonly args: readonly string[];
  readonly code: number;
  /** Reasons of the errors or the warnings, each once, in order of appearance. */
  readonly reasons: (severity: 'error' | 'warning') => readonly string[];
  /** How many warnings begin with this reason. */
  readonly warnings: (reason: string) => number;
  /** Everything that was said in words. */
  readonly text: string;
  /** Everything that was printed, for what must not be in it. */
  readonly printed: string;
  /** What a person sees of it. */
  readonly lines: readonly string[];
  /** The engine's own, for machines. */
  readonly diagnostics: readonly unknown[];
}

/** A directory of one tenant with a program and its state. */
export interface Project {
  /** Replaces the program. */
  declare(...parts: readonly Declared[]): void;
  /** What would be done. */
  plan(): Promise<Ran>;
  /** Does it. */
  apply(): Promise<Ran>;
  destroy(): Promise<Ran>;
}

/** What the tools call the same thing. */
export interface Words {
  readonly plan: 'plan' | 'preview';
  readonly hold: string;
}

export const TOOLS = ['terraform', 'pulumi'] as const;
export type ToolName = (typeof TOOLS)[number];

/** One of the tools that the demo drives, with its engine found. */
export interface Tool {
  readonly name: ToolName;
  /** The engine, for a reader: `OpenTofu 1.12.5`. */
  readonly engine: string;
  readonly words: Words;
  /** Prepares the tool for programs below a directory. */
  install(directory: string): Workshop;
}

/** Where projects are made. @param name of the project; one of a tenant's is made once */
export interface Workshop {
  project(tenant: { readonly namespace: string; readonly kubeconfig: string }, name: string): Project;
}
