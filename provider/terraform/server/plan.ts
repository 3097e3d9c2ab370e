import type { CallContext } from '../handlers';
import type { DynamicValue } from '../values/dynamic-value';
import { missingAttributes } from '../schema/missing';
import { decodeRow, encodeRow } from '../values/codec';
import { decodeStored, privateBytes, privateText } from './rows';
import type { Session } from './session';
import { toWireDiagnostics } from './wire-diagnostics';
import { toWirePath } from './wire-path';

interface Plan {
  readonly type_name: string;
  readonly prior_state: DynamicValue | null;
  readonly proposed_new_state: DynamicValue | null;
  readonly config: DynamicValue | null;
  readonly prior_private: Uint8Array;
}

export async function planResourceChange(session: Session, request: Plan, ctx: CallContext): Promise<object> {
  const handler = session.resource(request.type_name);
  const { schema } = handler;
  const before = privateText(request.prior_private);
  const config = decodeRow(request.config, schema);
  // What was unknown to the validation may turn out null at apply.
  const missing = config === null ? [] : missingAttributes(config, schema.attributes);
  if (missing.length > 0) return { planned_state: request.proposed_new_state, diagnostics: toWireDiagnostics(missing, schema) };
  const answer = await handler.plan({
    prior: decodeStored(request.prior_state, schema),
    proposed: decodeRow(request.proposed_new_state, schema),
    config,
    private: before,
  }, ctx);
  return {
    planned_state: encodeRow(answer.planned, schema),
    requires_replace: (answer.requiresReplace ?? []).map((path) => toWirePath(path, schema)),
    planned_private: privateBytes(answer.private ?? before),
    diagnostics: toWireDiagnostics(answer.diagnostics, schema),
  };
}
