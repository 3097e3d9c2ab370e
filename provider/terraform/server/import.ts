import type { Diagnostic } from '../diagnostics';
import type { CallContext } from '../handlers';
import { encodeRow } from '../values/codec';
import { privateBytes } from './rows';
import type { Session } from './session';
import { toWireDiagnostics } from './wire-diagnostics';

interface Import {
  readonly type_name: string;
  readonly id: string;
}

export async function importResourceState(session: Session, request: Import, ctx: CallContext): Promise<object> {
  const handler = session.resource(request.type_name);
  if (!handler.import) return { diagnostics: toWireDiagnostics([cannotImport(request.type_name)], handler.schema) };
  const answer = await handler.import(request.id, ctx);
  const imported = answer.state && {
    type_name: request.type_name,
    state: encodeRow(answer.state, handler.schema),
    private: privateBytes(answer.private ?? ''),
  };
  return {
    imported_resources: imported ? [imported] : [],
    diagnostics: toWireDiagnostics(answer.diagnostics, handler.schema),
  };
}

/** Resources of other types keep their own life on the server; taking one over would rewrite it without a plan. */
export function moveResourceState(session: Session, request: { source_type_name: string; target_type_name: string }): object {
  return { diagnostics: toWireDiagnostics([cannotMove(request.source_type_name, request.target_type_name)], session.handlers.configSchema) };
}

function cannotImport(typeName: string): Diagnostic {
  return { severity: 'error', summary: `${typeName} cannot be imported`, detail: `Declare a ${typeName} and apply; nothing of it exists outside Terraform.` };
}

function cannotMove(from: string, to: string): Diagnostic {
  return {
    severity: 'error',
    summary: `A ${from} cannot become a ${to}`,
    detail: `Remove the "moved" block. To manage an object that already exists, add an "import" block for the ${to} with its id.`,
  };
}
