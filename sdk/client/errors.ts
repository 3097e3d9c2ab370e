/** What went wrong between this process and the control plane. */
export type PlaneFault = 'Unauthorized' | 'Forbidden' | 'NotFound' | 'Conflict' | 'AlreadyExists' | 'Gone' | 'Invalid' | 'Timeout' | 'Unreachable' | 'Unavailable' | 'Unexpected';

/** The parts of a Kubernetes `Status` that a caller may act on. */
export interface PlaneErrorDetail {
  readonly fault: PlaneFault;
  /** HTTP status; undefined when no answer came. */
  readonly code?: number;
  /** `reason` of the Status object. */
  readonly reason?: string;
  /** `details.causes` of the Status object: the fields at fault. */
  readonly causes?: readonly { readonly field?: string; readonly message?: string; readonly reason?: string }[];
  /** What the server asked to wait before the next try. */
  readonly retryAfterSeconds?: number;
  readonly method: string;
  readonly path: string;
}

/**
 * An answer of the control plane that is not a success, or no answer. Its message reads `[METHOD] path: what the server said`.
 * A 403 is never "gone": only `NotFound` means that an object does not exist.
 */
export class PlaneError extends Error {
  override readonly name = 'PlaneError';

  constructor(readonly detail: PlaneErrorDetail, said: string, options?: { cause?: unknown }) {
    super(`[${detail.method}] ${detail.path}: ${said}`, options);
    this.said = said;
  }

  /** The server's own sentence. */
  readonly said: string;

  get fault(): PlaneFault {
    return this.detail.fault;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'PlaneError' && 'detail' in value;
  }
}

/** True for a PlaneError of one of the given faults. */
export function isFault(error: unknown, ...faults: readonly PlaneFault[]): error is PlaneError {
  return error instanceof PlaneError && faults.includes(error.fault);
}
