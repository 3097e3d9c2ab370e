import type { CallContext } from '../handlers';
import type { DynamicValue } from '../values/dynamic-value';
import { decodeRow, encodeRow } from '../values/codec';
import { reportBug } from './call';
import { decodeStored, privateBytes, privateText } from './rows';
import type { Session } from './session';
import { toWireDiagnostics } from './wire-diagnostics';

interface Apply {
  readonly type_name: string;
  readonly prior_state: DynamicValue | null;
  readonly planned_state: DynamicValue | null;
  readonly config: DynamicValue | null;
  readonly planned_private: Uint8Array;
}

/**
 * An exception answers with the prior state: an answer without a state would be taken for "gone", and a failed
 * delete would drop a living object from the state.
 */
export async function applyResourceChange(session: Session, request: Apply, ctx: CallContext): Promise<object> {
  try {
    return await apply(session, request, ctx);
  } catch (error) {
    return {
      new_state: request.prior_state,
      private: request.planned_private,
      diagnostics: reportBug(session, 'ApplyResourceChange', error),
    };
  }
}

async function apply(session: Session, request: Apply, ctx: CallContext): Promise<object> {
  const handler = session.resource(request.type_name);
  const { schema } = handler;
  const before = privateText(request.planned_private);
  const answer = await handler.apply({
    prior: decodeStored(request.prior_state, schema),
    planned: decodeRow(request.planned_state, schema),
    config: decodeRow(request.config, schema),
    private: before,
  }, ctx);
  return {
    new_state: encodeRow(answer.state, schema),
    private: privateBytes(answer.private ?? before),
    diagnostics: toWireDiagnostics(answer.diagnostics, schema),
  };
}
