import { ConnectionError } from '../../../sdk/client/connect-options';
import { Run } from '../../core/run';
import { identityOf, type ReadConfig } from '../config';
import { openSession, type Session, type SessionParts } from '../session';
import { inStackConfig } from '../wording';

/** A call cannot go on; the message is all that the user sees of it. */
export class MethodError extends Error {
  override readonly name = 'Error';

  constructor(message: string) {
    super(message);
    // The engine's host prints the stack beside the message, where it helps nobody.
    this.stack = '';
  }
}

/** The session of the provider process. Both resources share it: what one declares, the other judges. */
export class HeldSession {
  private opened: Promise<Session> | undefined;
  private identity: string | undefined;

  constructor(private readonly parts: SessionParts = {}) {}

  /**
   * Called once for each text of a provider, with the same configuration; its first part runs before anything else is called.
   * A fault is kept for the calls that need the session: only they have a resource to show it at.
   */
  configure(read: ReadConfig): void {
    const identity = identityOf(read);
    if (this.identity === identity) return;
    this.identity = identity;
    this.opened = openSession(read, new Run(() => 'preview', 'each'), this.parts);
    this.opened.catch(() => undefined);
  }

  /** Rejects with a MethodError of one sentence where no control plane is known. */
  async get(): Promise<Session> {
    if (this.opened === undefined) throw new Error('the provider was called before it was configured');
    try {
      return await this.opened;
    } catch (error) {
      throw error instanceof ConnectionError ? new MethodError(notConnected(error)) : error;
    }
  }
}

/** A way to a control plane that is missing or wrong, in words. */
export function notConnected({ message, argument }: ConnectionError): string {
  // What no argument is at fault for, no argument mends.
  const exit = argument === undefined ? '' : ' Set it with `pulumi config set macrack:kubeconfig PATH` (and macrack:context), or macrack:host with macrack:token.';
  return inStackConfig(`NotConnected: ${message}.${exit} Nothing was asked of any server.`);
}
