import { PlaneError } from '../../../sdk/client/errors';
import { Fault, unknown, type Finding } from './finding';

/** The finding of a look that asks the API server; where it cannot be asked, nothing is known. */
export async function ask(look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return unknown(Fault.PlaneUnavailable, error instanceof PlaneError ? error.message : `unexpected: ${String(error)}`);
  }
}
