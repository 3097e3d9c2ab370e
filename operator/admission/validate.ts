import type { MacNodeBinding, MacNodeLease, MacOSInstance, Pod } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client/control-plane';
import type { AuditLog } from '../audit/audit-log';
import type { Log } from '../reconcile/context';
import { denial, NOTHING_AGAINST, notChecked, type Judgement } from './judgement';
import { allow, type AdmissionRequest, type AdmissionResponse } from './review';
import { validateDeletedClaim } from './validate-claim';
import { validateChangedInstance, validateNewInstance } from './validate-instance';
import { validateChangedLease, validateDeletedLease, validateNewLease } from './validate-lease';
import { validateNewPod } from './validate-pod';

export interface ValidateContext { readonly plane: ControlPlane; readonly audit: AuditLog; readonly log: Log }

function judgeLease({ plane, audit }: ValidateContext, request: AdmissionRequest): Promise<Judgement> | undefined {
  const [lease, old] = [request.object as MacNodeLease | null | undefined, request.oldObject as MacNodeLease | null | undefined];
  if (request.operation === 'CREATE' && lease != null) return validateNewLease(plane, request, lease);
  if (request.operation === 'UPDATE' && lease != null && old != null) return validateChangedLease(plane, request, old, lease);
  return request.operation === 'DELETE' && old != null ? validateDeletedLease(plane, audit, request, old) : undefined;
}

function judgeInstance({ plane }: ValidateContext, request: AdmissionRequest): Promise<Judgement> | undefined {
  const [instance, old] = [request.object as MacOSInstance | null | undefined, request.oldObject as MacOSInstance | null | undefined];
  if (request.operation === 'CREATE' && instance != null) return validateNewInstance(plane, request, instance);
  return request.operation === 'UPDATE' && instance != null && old != null ? validateChangedInstance(plane, request, old, instance) : undefined;
}

/** Facts are gathered live: a webhook that answered from a cache could allow what has just become forbidden. */
async function judge(context: ValidateContext, request: AdmissionRequest): Promise<Judgement> {
  const { kind, operation, subResource = '' } = request;
  if (subResource !== '') return NOTHING_AGAINST;
  switch (`${kind.group}/${kind.kind}`) {
    case 'macrack.io/MacNodeLease':
      return (await judgeLease(context, request)) ?? NOTHING_AGAINST;
    case 'macrack.io/MacOSInstance':
      return (await judgeInstance(context, request)) ?? NOTHING_AGAINST;
    case 'macrack.io/MacNodeBinding':
      return operation === 'DELETE' && request.oldObject != null ? validateDeletedClaim(context.plane, request.oldObject as MacNodeBinding) : NOTHING_AGAINST;
    case '/Pod':
      return operation === 'CREATE' && request.object != null ? validateNewPod(context.plane, request, request.object as Pod) : NOTHING_AGAINST;
    default:
      return NOTHING_AGAINST;
  }
}

/** Rows are written on a denial only: what one webhook allows, a quota may still refuse. A record that fails does not turn a denial into an allow. */
async function record({ audit, log }: ValidateContext, request: AdmissionRequest, { verdict, rowOf }: Judgement): Promise<void> {
  if (request.dryRun === true || rowOf === undefined) return;
  for (const refusal of verdict.refusals) {
    const row = rowOf(refusal);
    if (row !== undefined) await audit.append(row).catch((error: unknown) => log.error({ err: error, refusal }, 'a denial could not be recorded'));
  }
}

async function respond(context: ValidateContext, request: AdmissionRequest): Promise<AdmissionResponse> {
  const judgement = await judge(context, request);
  const { refusals, undetermined } = judgement.verdict;
  if (refusals.length > 0) {
    await record(context, request, judgement);
    return denial(request, refusals);
  }
  if (undetermined.length > 0) return notChecked(request, `not known: ${undetermined.join('; ')}`);
  if (request.dryRun !== true) await judgement.onAllowed?.();
  return allow(request.uid, judgement.warnings);
}

/** The answer of /validate. Never rejects: a lookup that fails denies. */
export async function validate(context: ValidateContext, request: AdmissionRequest): Promise<AdmissionResponse> {
  try {
    return await respond(context, request);
  } catch (error) {
    context.log.error({ err: error, kind: request.kind.kind, operation: request.operation }, 'a request could not be checked and was refused');
    return notChecked(request, error instanceof Error ? error.message : String(error));
  }
}
