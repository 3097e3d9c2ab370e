import type { ServerUnaryCall, UntypedHandleCall, sendUnaryData } from '@grpc/grpc-js';
import type { CallContext } from '../handlers';
import type { Session } from './session';
import { bugDiagnostic, reasonOf, toWireDiagnostics } from './wire-diagnostics';

/** Answers one call of the protocol. */
export type Answer<Request> = (session: Session, request: Request, ctx: CallContext) => Promise<object> | object;

/**
 * A gRPC method around `answer`: counted while it is under way, cancelled with its call, and never failing. What
 * `answer` throws becomes one error diagnostic, since a gRPC error would reach the user without a reason.
 */
export function method(session: Session, name: string, answer: Answer<never>): UntypedHandleCall {
  return (call: ServerUnaryCall<unknown, object>, reply: sendUnaryData<object>) => void respond(session, name, answer, call, reply);
}

async function respond(
  session: Session, name: string, answer: Answer<never>, call: ServerUnaryCall<unknown, object>, reply: sendUnaryData<object>,
): Promise<void> {
  const ticket = session.calls.begin();
  const ended = new AbortController();
  call.on('cancelled', () => ended.abort());
  const signal = AbortSignal.any([session.stopSignal, ended.signal]);
  try {
    reply(null, await answer(session, call.request as never, { inFlight: ticket, signal, log: session.log }));
  } catch (error) {
    reply(null, { diagnostics: reportBug(session, name, error) });
  } finally {
    ticket.end();
  }
}

/** Logs what no handler foresaw, with its stack, and words it for the user. */
export function reportBug(session: Session, name: string, error: unknown): object[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  session.log('error', `${name} failed: ${reasonOf(error)}`, { stack });
  return toWireDiagnostics([bugDiagnostic(name, error)], session.handlers.configSchema);
}
