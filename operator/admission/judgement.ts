import { ALLOWED, type Refusal, type Verdict } from '../../sdk/rules/verdict';
import type { AuditEvent } from '../audit/audit-log';
import type { AdmissionRequest, AdmissionResponse } from './review';

/** What a validator says of a request. */
export interface Judgement {
  readonly verdict: Verdict;
  /** Shown to the user when the request is allowed. */
  readonly warnings?: readonly string[];
  /** The row of a refusal, for those that are recorded. Written on a denial that is no dry run, and only then. */
  readonly rowOf?: (refusal: Refusal) => AuditEvent | undefined;
  /** Done when the request is allowed and is no dry run. */
  readonly onAllowed?: () => Promise<void>;
}

export const NOTHING_AGAINST: Judgement = { verdict: ALLOWED };

const lineOf = ({ reason, message }: Refusal): string => `macrack: ${reason}: ${message}`;
const isConflict = ({ reason }: Refusal): boolean => reason === 'NameHeld' || reason === 'SerialUnavailable';

/** The denial that shows every refusal: as lines to read, and as causes for clients. */
export function denial({ uid }: AdmissionRequest, refusals: readonly Refusal[]): AdmissionResponse {
  const conflict = refusals.every(isConflict);
  return {
    uid, allowed: false,
    status: {
      status: 'Failure', code: conflict ? 409 : 403, reason: conflict ? 'Conflict' : 'Forbidden',
      message: refusals.map(lineOf).join('\n'),
      details: { causes: refusals.map(({ reason, path, message }) => ({ reason, field: path === '' ? 'metadata.name' : fieldOf(path), message })) },
    },
  };
}

// The verdicts speak of inputs; the object calls them by its own names.
function fieldOf(path: string): string {
  if (path === 'name') return 'metadata.name';
  if (path === 'namespace') return 'metadata.namespace';
  if (path === 'lease') return 'spec.leaseName';
  return path.startsWith('spec.') ? path : `spec.${path}`;
}

/** What could not be looked up is refused: an unknown is never an allow. The client may try again. */
export function notChecked({ uid }: AdmissionRequest, why: string): AdmissionResponse {
  const message = `macrack: NotChecked: the request could not be checked, and nothing was changed: ${why.replace(/\.$/, '')}. Try again.`;
  return { uid, allowed: false, status: { status: 'Failure', code: 500, reason: 'InternalError', message, details: { causes: [{ reason: 'NotChecked', field: '', message }] } } };
}
