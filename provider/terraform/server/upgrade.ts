import type { Diagnostic } from '../diagnostics';
import type { CallContext, UpgradeRequest } from '../handlers';
import { encodeRow } from '../values/codec';
import { parseExact } from '../values/exact-json';
import type { Session } from './session';
import { toWireDiagnostics } from './wire-diagnostics';

interface Upgrade {
  readonly type_name: string;
  readonly version: number;
  readonly raw_state: { readonly json: Uint8Array } | null;
}

/**
 * Called for every object in the state, on every run. A state of the current version goes back byte for byte:
 * parsing it and writing it again could lose digits of a number, and the plan would never be empty.
 */
export async function upgradeResourceState(session: Session, request: Upgrade, ctx: CallContext): Promise<object> {
  const handler = session.resource(request.type_name);
  const { schema } = handler;
  const json = request.raw_state?.json ?? new Uint8Array();
  if (json.length === 0) return { diagnostics: toWireDiagnostics([unreadable(request, 'it is not stored as JSON')], schema) };
  if (request.version === schema.version) return { upgraded_state: { json } };
  if (request.version > schema.version || !handler.upgrade) {
    return { diagnostics: toWireDiagnostics([unreadable(request, `this provider reads version ${schema.version}`)], schema) };
  }
  const state = parseExact(Buffer.from(json).toString('utf8')) as UpgradeRequest['state'];
  const answer = await handler.upgrade({ version: request.version, state }, ctx);
  return {
    upgraded_state: encodeRow(answer.state, schema),
    diagnostics: toWireDiagnostics(answer.diagnostics, schema),
  };
}

function unreadable({ type_name, version }: Upgrade, why: string): Diagnostic {
  return {
    severity: 'error',
    summary: `The stored state of a ${type_name} cannot be read`,
    detail: `Its state has schema version ${version}, and ${why}. Use the provider version that wrote it, or a newer one.`,
  };
}
