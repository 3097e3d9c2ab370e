import type { EngineLog } from '../engine-log';

/** A message that the engine was given. */
export interface Said {
  readonly severity: 'warning' | 'error';
  readonly text: string;
  readonly urn: string;
}

/** The engine's log, kept in memory. */
export class Told implements EngineLog {
  readonly all: Said[] = [];

  say(severity: Said['severity'], text: string, urn: string): Promise<void> {
    this.all.push({ severity, text, urn });
    return Promise.resolve();
  }

  /** `severity reason at resource`, one a message, in order of their texts. */
  get short(): string[] {
    return this.all.map(({ severity, text, urn }) => `${severity} ${text.split(':')[0] ?? ''} at ${urn.split('::').at(-1) ?? ''}`).sort();
  }
}
