import type { EngineClient } from '@pulumi/pulumi/proto/engine_grpc_pb';
import { logRequest } from './pulumi-modules';

/** How the engine takes a message: bound to a resource, it is shown under it, also where that does not change. */
export interface EngineLog {
  /** An error alone fails nothing: whoever says one also refuses. @param urn of the resource; empty for the stack */
  say(severity: 'warning' | 'error', text: string, urn: string): Promise<void>;
}

const SEVERITY = { warning: 2, error: 3 } as const;

const UNAVAILABLE = 14;
const CANCELLED = 1;

/** A refused check ends a run while others still have something to say: nobody is left to tell, and that is no fault of theirs. */
function isOver(error: unknown): boolean {
  const { code, message } = error as { readonly code?: number; readonly message?: string };
  return code === UNAVAILABLE || code === CANCELLED || message === 'Channel has been shut down';
}

/** Messages through a client of the engine; without one, as in a unit test of a program, nothing is said. */
export function engineLog(client: () => Pick<EngineClient, 'log'> | undefined): EngineLog {
  return {
    async say(severity, text, urn) {
      const engine = client();
      if (engine === undefined) return;
      const request = logRequest();
      request.setSeverity(SEVERITY[severity]);
      request.setMessage(text);
      request.setUrn(urn);
      try {
        await new Promise<void>((resolve, reject) => engine.log(request, (error) => (error === null ? resolve() : reject(error))));
      } catch (error) {
        if (!isOver(error)) throw error;
      }
    },
  };
}
