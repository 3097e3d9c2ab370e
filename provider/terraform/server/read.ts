import type { CallContext } from '../handlers';
import type { DynamicValue } from '../values/dynamic-value';
import { missingAttributes } from '../schema/missing';
import { encodeRow } from '../values/codec';
import { decodeStored, privateBytes, privateText, requireRow } from './rows';
import type { Session } from './session';
import { toWireDiagnostics } from './wire-diagnostics';

interface Read {
  readonly type_name: string;
  readonly current_state: DynamicValue | null;
  readonly private: Uint8Array;
}

interface ReadData {
  readonly type_name: string;
  readonly config: DynamicValue | null;
}

export async function readResource(session: Session, request: Read, ctx: CallContext): Promise<object> {
  const handler = session.resource(request.type_name);
  const before = privateText(request.private);
  const state = requireRow(decodeStored(request.current_state, handler.schema), 'current_state');
  const answer = await handler.read({ state, private: before }, ctx);
  return {
    new_state: encodeRow(answer.state, handler.schema),
    private: privateBytes(answer.private ?? before),
    diagnostics: toWireDiagnostics(answer.diagnostics, handler.schema),
  };
}

export async function readDataSource(session: Session, request: ReadData, ctx: CallContext): Promise<object> {
  const handler = session.dataSource(request.type_name);
  const config = requireRow(decodeStored(request.config, handler.schema), 'config');
  const missing = missingAttributes(config, handler.schema.attributes);
  if (missing.length > 0) return { state: encodeRow(null, handler.schema), diagnostics: toWireDiagnostics(missing, handler.schema) };
  const answer = await handler.read(config, ctx);
  return {
    state: encodeRow(answer.state, handler.schema),
    diagnostics: toWireDiagnostics(answer.diagnostics, handler.schema),
  };
}
