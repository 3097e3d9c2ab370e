/** A diagnostic of `terraform -json`. */
export interface JsonDiagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
  readonly address?: string;
  readonly range?: { readonly filename: string; readonly start: { readonly line: number } };
}

/** One line of the `-json` stream. */
export interface JsonEvent {
  readonly type?: string;
  readonly '@message'?: string;
  readonly diagnostic?: JsonDiagnostic;
  readonly changes?: { readonly add: number; readonly change: number; readonly remove: number; readonly import?: number; readonly operation: string };
  readonly change?: { readonly action: string; readonly resource: { readonly addr: string } };
}

/** What a run of terraform left behind, for machines. */
export interface Outcome {
  readonly args: readonly string[];
  /** Exit status; 128 + signal number when it was killed. */
  readonly code: number;
  readonly events: readonly JsonEvent[];
  readonly diagnostics: readonly JsonDiagnostic[];
  readonly stdout: string;
  readonly stderr: string;
}

function parse(line: string): JsonEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as JsonEvent;
  } catch {
    // A line cut short by a killed process is not an event.
    return undefined;
  }
}

/** Reads the `-json` stream; lines that are not JSON are left in `stdout` only. */
export function outcome(args: readonly string[], code: number, stdout: string, stderr: string): Outcome {
  const events = stdout.split('\n').map(parse).filter((event) => event !== undefined);
  const diagnostics = events.flatMap((event) => (event.diagnostic === undefined ? [] : [event.diagnostic]));
  return { args, code, events, diagnostics, stdout, stderr };
}

/** Our reason at the head of a diagnostic (`ThirdInstance: …`); undefined for a diagnostic of the engine itself. */
export function reasonOf(diagnostic: JsonDiagnostic): string | undefined {
  return /^([A-Z][A-Za-z]+):/.exec(diagnostic.summary)?.[1];
}

/** Reasons of the errors, or of the warnings, of a run, each once, in order of appearance. */
export function reasons(run: Outcome, severity: JsonDiagnostic['severity']): string[] {
  const found = run.diagnostics.filter((d) => d.severity === severity).map(reasonOf);
  return [...new Set(found.filter((reason) => reason !== undefined))];
}
