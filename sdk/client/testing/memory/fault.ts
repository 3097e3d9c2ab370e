import { PlaneError, type PlaneErrorDetail, type PlaneFault } from '../../errors';

const CODES: Partial<Record<PlaneFault, number>> = { Unauthorized: 401, Forbidden: 403, NotFound: 404, Conflict: 409, AlreadyExists: 409, Gone: 410, Invalid: 422, Unavailable: 503, Timeout: 504 };

/** An answer that is not a success, or none. */
export function fault(name: PlaneFault, said: string = name, causes: PlaneErrorDetail['causes'] = [], call: Pick<PlaneErrorDetail, 'method' | 'path'> = { method: 'TEST', path: '/test' }): PlaneError {
  const code = CODES[name];
  return new PlaneError({ fault: name, causes, ...call, ...(code === undefined ? {} : { code }) }, said);
}
