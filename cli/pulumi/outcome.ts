/** A message of the engine, the program or a provider. */
export interface Diagnostic {
  /** What it is bound to: a resource, or the stack; undefined for the command itself. */
  readonly urn?: string | undefined;
  /** Output of the program is `info`, its standard error `info#err`. */
  readonly severity: 'error' | 'warning' | 'info' | 'info#err' | 'debug';
  /** Without the word of its severity in front, and without line ends behind. */
  readonly message: string;
}

/** The state of a resource as a preview prints it. */
export interface StepState {
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** What is planned for a resource, or was done to it. */
export interface Step {
  /** `create`, `update`, `delete`, `replace`, `create-replacement`, `delete-replaced`, `read`, `refresh`, `same`, … */
  readonly op: string;
  readonly urn: string;
  readonly oldState?: StepState | undefined;
  readonly newState?: StepState | undefined;
  /** Inputs that force the replacement. */
  readonly replaceReasons?: readonly string[] | undefined;
  /** Inputs that differ. */
  readonly diffReasons?: readonly string[] | undefined;
}

/** What a run of pulumi left behind, for machines. */
export interface Outcome {
  readonly args: readonly string[];
  /** Exit status; 128 + signal number when it was killed. */
  readonly code: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Of a preview the planned ones; of any other run those that were done, in their order. */
  readonly steps: readonly Step[];
  /** Counts by operation, `same` included; empty for a run that did not get that far. */
  readonly changeSummary: Readonly<Record<string, number>>;
  readonly stdout: string;
  readonly stderr: string;
}

/** The part of an outcome that the engine writes for machines. */
export type Told = Pick<Outcome, 'diagnostics' | 'steps' | 'changeSummary'>;

/** The part that any command leaves. */
export type Ran = Omit<Outcome, keyof Told>;

/** Our reason in a diagnostic (`… has a problem: ThirdInstance: …`); undefined for a diagnostic of the engine itself. */
export function reasonOf({ message }: Diagnostic): string | undefined {
  const found = [...message.matchAll(/(?<=^|: )([A-Z][A-Za-z]+): /gm)].map(([, word = '']) => word);
  return found.find((word) => !word.endsWith('Error'));
}

/** Reasons of the errors, or of the warnings, of a run, each once, in order of appearance. */
export function reasons(run: Outcome, severity: Diagnostic['severity']): string[] {
  const found = run.diagnostics.filter((d) => d.severity === severity).map(reasonOf);
  return [...new Set(found.filter((reason) => reason !== undefined))];
}
