import type { CallContext } from '../handlers';
import type { DynamicValue } from '../values/dynamic-value';
import { missingAttributes } from '../schema/missing';
import { decodeRow } from '../values/codec';
import { requireRow } from './rows';
import type { Session } from './session';
import { toWireDiagnostics } from './wire-diagnostics';

interface Validate {
  readonly type_name: string;
  readonly config: DynamicValue | null;
}

export async function validateResourceConfig(session: Session, request: Validate, ctx: CallContext): Promise<object> {
  const handler = session.resource(request.type_name);
  const config = requireRow(decodeRow(request.config, handler.schema), 'config');
  const missing = missingAttributes(config, handler.schema.attributes);
  return { diagnostics: toWireDiagnostics(missing.length > 0 ? missing : await handler.validate?.(config, ctx), handler.schema) };
}

export async function validateDataResourceConfig(session: Session, request: Validate, ctx: CallContext): Promise<object> {
  const handler = session.dataSource(request.type_name);
  const config = requireRow(decodeRow(request.config, handler.schema), 'config');
  const missing = missingAttributes(config, handler.schema.attributes);
  return { diagnostics: toWireDiagnostics(missing.length > 0 ? missing : await handler.validate?.(config, ctx), handler.schema) };
}
