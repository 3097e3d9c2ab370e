import { Run } from '../../core/run';
import { Facts } from '../../core/facts';
import { openSession, type Session } from '../session';
import { checkSecrets, readStackConfig } from './stack-config';

/** The session of a program's process, opened once for a run. Rejects with ConnectionError, as `openSession` does. */
export class ProgramSession {
  private opened: Promise<Session> | undefined;

  get(): Promise<Session> {
    checkSecrets();
    this.opened ??= openSession(readStackConfig, new Run(() => 'preview'));
    return this.opened;
  }

  /** The same with new eyes: what an earlier question saw is asked again. */
  async fresh(): Promise<Session> {
    const { core, namespace } = await this.get();
    return { core: { ...core, facts: new Facts(core.plane), run: new Run(() => 'preview') }, namespace };
  }
}
