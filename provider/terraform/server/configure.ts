import type { CallContext } from '../handlers';
import type { DynamicValue } from '../values/dynamic-value';
import { missingAttributes } from '../schema/missing';
import { decodeRow } from '../values/codec';
import { requireRow } from './rows';
import type { Session } from './session';
import { toWireDiagnostics } from './wire-diagnostics';

interface Configure {
  readonly terraform_version: string;
  readonly config: DynamicValue | null;
}

export async function validateProviderConfig(session: Session, request: { config: DynamicValue | null }, ctx: CallContext): Promise<object> {
  const { handlers } = session;
  const config = requireRow(decodeRow(request.config, handlers.configSchema), 'config');
  const missing = missingAttributes(config, handlers.configSchema.attributes);
  return { diagnostics: toWireDiagnostics(missing.length > 0 ? missing : await handlers.validateConfig?.(config, ctx), handlers.configSchema) };
}

export async function configureProvider(session: Session, request: Configure, ctx: CallContext): Promise<object> {
  session.newRun();
  const { handlers } = session;
  const config = requireRow(decodeRow(request.config, handlers.configSchema), 'config');
  const diagnostics = await handlers.configure(config, { terraformVersion: request.terraform_version }, ctx);
  return { diagnostics: toWireDiagnostics(diagnostics, handlers.configSchema) };
}

export function stopProvider(session: Session): object {
  session.stop();
  return {};
}
