import { Run } from '../../core/run';
import { Facts } from '../../core/facts';
import { openSession, type Session } from '../session';
import type { ReadConfig } from '../config';

/** The session of a program's process, opened once for a run. Rejects with ConnectionError, as `openSession` does. */
export class ProgramSession {
  private opened: Promise<Session> | undefined;

  constructor(private readonly program: { readonly readConfig: ReadConfig; readonly checkSecrets: () => void }) {}

  get(): Promise<Session> {
    this.program.checkSecrets();
    this.opened ??= openSession(this.program.readConfig, new Run(() => 'preview'));
    return this.opened;
  }

  /** The same with new eyes: what an earlier question saw is asked again. */
  async fresh(): Promise<Session> {
    const { core, namespace } = await this.get();
    return { core: { ...core, facts: new Facts(core.plane), run: new Run(() => 'preview') }, namespace };
  }
}
