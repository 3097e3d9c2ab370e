import { PlaneError, type PlaneErrorDetail, type PlaneFault } from './errors';

/** The parts of an answer that decide what fault it is. */
export interface FailedAnswer {
  readonly method: string;
  readonly path: string;
  readonly code: number;
  readonly text: string;
  readonly retryAfter?: string | undefined;
}

interface Status {
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: { readonly name?: string; readonly retryAfterSeconds?: number; readonly causes?: NonNullable<PlaneErrorDetail['causes']> };
}

function parseStatus(text: string): Status | undefined {
  try {
    const parsed = JSON.parse(text) as (Status & { kind?: string }) | null;
    return parsed?.kind === 'Status' ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const FAULTS: Readonly<Record<number, PlaneFault>> = { 401: 'Unauthorized', 403: 'Forbidden', 410: 'Gone', 422: 'Invalid', 429: 'Unavailable', 501: 'Unexpected', 504: 'Timeout' };

// A 404 that names no object says that the server knows no such path, for example because the CRDs are not installed.
function faultOf(code: number, status: Status | undefined): PlaneFault {
  if (code === 404) return status?.details?.name ? 'NotFound' : 'Unexpected';
  if (code === 409) return status?.reason === 'AlreadyExists' ? 'AlreadyExists' : 'Conflict';
  return FAULTS[code] ?? (code >= 500 ? 'Unavailable' : 'Unexpected');
}

function sentence(code: number, status: Status | undefined): string {
  if (code === 404 && !status?.details?.name) return 'the server does not serve this kind; are the CRDs of MacRack installed?';
  return status?.message ?? `HTTP ${code} without a Status object`;
}

function retryAfterSeconds(answer: FailedAnswer, status: Status | undefined): number | undefined {
  const seconds = Number(answer.retryAfter ?? status?.details?.retryAfterSeconds ?? NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** The error for an answer that is no success. */
export function statusFault(answer: FailedAnswer): PlaneError {
  const { method, path, code } = answer;
  const status = parseStatus(answer.text);
  const wait = retryAfterSeconds(answer, status);
  const detail: PlaneErrorDetail = {
    fault: faultOf(code, status),
    code,
    ...(status?.reason && { reason: status.reason }),
    ...(status?.details?.causes && { causes: status.details.causes }),
    ...(wait !== undefined && { retryAfterSeconds: wait }),
    method,
    path,
  };
  return new PlaneError(detail, sentence(code, status));
}

/** The error that a watch sends as its last event. */
export function statusEventFault(status: unknown, path: string): PlaneError {
  const code = (status as Status | undefined)?.code ?? 500;
  return statusFault({ method: 'WATCH', path, code, text: JSON.stringify(status) });
}
