/** Steps from the root of a resource to an attribute: `['shape', 'cpu']`, `['images', 0]`. */
export type AttributePath = readonly (string | number)[];

export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** One short line: what is wrong. */
  readonly summary: string;
  /** Which object, which rule, until when, what to do now. */
  readonly detail: string;
  /** Where in the user's configuration. Absent: the whole resource. */
  readonly path?: AttributePath;
}

export type Diagnostics = readonly Diagnostic[];

export function errorAt(path: AttributePath, summary: string, detail: string): Diagnostic {
  return { severity: 'error', summary, detail, path };
}

export function warningAt(path: AttributePath, summary: string, detail: string): Diagnostic {
  return { severity: 'warning', summary, detail, path };
}

export function hasErrors(diagnostics: Diagnostics): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** Equal diagnostics say nothing twice: the first of each is kept, in order. */
export function distinct(diagnostics: Diagnostics): Diagnostics {
  const byKey = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    if (!byKey.has(keyOf(diagnostic))) byKey.set(keyOf(diagnostic), diagnostic);
  }
  return [...byKey.values()];
}

function keyOf({ severity, summary, detail, path }: Diagnostic): string {
  return JSON.stringify([severity, summary, detail, path ?? []]);
}

/** As the user would write it: `shape.cpu`, `images[0]`. */
export function formatPath(path: AttributePath): string {
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${step}`)).join('');
}
