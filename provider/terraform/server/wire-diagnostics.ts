import type { Diagnostic, Diagnostics } from '../diagnostics';
import { distinct } from '../diagnostics';
import type { Schema } from '../schema/schema';
import { toWirePointer } from './wire-path';

/** Diagnostics in the words of the protocol; each says a thing once. */
export function toWireDiagnostics(diagnostics: Diagnostics | undefined, schema: Schema): object[] {
  return distinct(diagnostics ?? []).map(({ severity, summary, detail, path }) => ({
    severity: severity === 'error' ? 'ERROR' : 'WARNING',
    summary,
    detail,
    ...(path && path.length > 0 ? { attribute: toWirePointer(path, schema) } : {}),
  }));
}

/** An exception that no handler foresaw: our fault, said as such, with everything it knows of its causes. */
export function bugDiagnostic(call: string, error: unknown): Diagnostic {
  return {
    severity: 'error',
    summary: `Bug in the MacRack provider (${call})`,
    detail:
      `The provider failed in a way it should not: ${reasonOf(error)}\n\n` +
      'Your configuration is not at fault. Run the command again; if it fails again, report it to the makers of the ' +
      'provider together with the output of TF_LOG_PROVIDER=debug.',
  };
}

/** Message and causes, outermost first: `cannot list leases: connect ECONNREFUSED`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : `a value of type ${typeof error} was thrown`;
  const message = error.message || error.name;
  return error.cause === undefined ? message : `${message}: ${reasonOf(error.cause)}`;
}
