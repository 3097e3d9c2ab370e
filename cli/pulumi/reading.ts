import { readEventLog } from './event-log';
import type { Diagnostic, Outcome, Ran, Told } from './outcome';
import { digestOf } from './preview-digest';

// What the command says of itself, such as that the stack is locked, is in no machine-readable form.
function ofTheCommand({ stderr }: Ran): Diagnostic[] {
  return [...stderr.matchAll(/^(error|warning): (.*(?:\n(?!error: |warning: ).+)*)/gm)].map(([, severity, message = '']) => ({ severity: severity as 'error' | 'warning', message }));
}

function bare({ urn, severity, message }: Diagnostic): Diagnostic {
  return { urn, severity, message: message.replace(/^(error|warning): /, '').trimEnd() };
}

/** Reads what a run printed; the digest of `preview --json` where it is one, else the event log. @param eventLog file; absent for commands without events */
export function outcome(ran: Ran, eventLog?: string): Outcome {
  const log: Told = digestOf(ran) ?? readEventLog(eventLog);
  return { ...ran, ...log, diagnostics: [...log.diagnostics, ...ofTheCommand(ran)].map(bare) };
}
