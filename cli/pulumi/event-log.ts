import { existsSync, readFileSync } from 'node:fs';
import type { Diagnostic, Step, StepState, Told } from './outcome';

interface Metadata {
  readonly op: string;
  readonly urn: string;
  readonly old?: StepState | null;
  readonly new?: StepState | null;
  readonly keys?: readonly string[];
  readonly diffs?: readonly string[];
}

/** One line of the file that `--event-log` names. */
interface EngineEvent {
  readonly diagnosticEvent?: Diagnostic & { readonly ephemeral?: boolean };
  readonly resourcePreEvent?: { readonly metadata: Metadata };
  readonly resOutputsEvent?: { readonly metadata: Metadata; readonly planning?: boolean };
  readonly summaryEvent?: { readonly resourceChanges: Record<string, number> | null; readonly isPreview: boolean };
}

function parse(line: string): EngineEvent[] {
  try {
    return [JSON.parse(line) as EngineEvent];
  } catch {
    // A line cut short by a killed engine is not an event.
    return [];
  }
}

const withoutColours = (text: string): string => text.replaceAll(/<\{%[^%]*%\}>/g, '');

function step({ op, urn, old, new: now, keys, diffs }: Metadata): Step {
  return { op, urn, oldState: old ?? undefined, newState: now ?? undefined, replaceReasons: keys, diffReasons: diffs };
}

// A preview announces its steps and carries them out in the dry; only what is done by the second counts for a real run.
function steps(events: readonly EngineEvent[]): Step[] {
  const isPreview = events.some(({ summaryEvent }) => summaryEvent?.isPreview === true);
  return events.flatMap(({ resourcePreEvent, resOutputsEvent }) => (isPreview ? resourcePreEvent : resOutputsEvent) ?? []).map(({ metadata }) => step(metadata));
}

/** Reads the file; empty where there is none. An `up` that previews first writes it anew for the real run. */
export function readEventLog(file?: string): Told {
  if (file === undefined || !existsSync(file)) return { diagnostics: [], steps: [], changeSummary: {} };
  const events = readFileSync(file, 'utf8').split('\n').flatMap((line) => (line === '' ? [] : parse(line)));
  const diagnostics = events.flatMap(({ diagnosticEvent: d }) =>
    (d === undefined || d.ephemeral === true || d.severity === 'debug' ? [] : [{ urn: d.urn, severity: d.severity, message: withoutColours(d.message) }]));
  return { diagnostics, steps: steps(events), changeSummary: events.findLast(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent?.resourceChanges ?? {} };
}
