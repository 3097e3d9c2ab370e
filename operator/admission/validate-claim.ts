import type { MacNodeBinding } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { formatRemaining } from '../../sdk/rules/duration';
import { formatInstant } from '../../sdk/rules/instant';
import { refuse } from '../../sdk/rules/verdict';
import { floorEnd } from '../reconcile/claim/floor';
import { NOTHING_AGAINST, type Judgement } from './judgement';

/**
 * A claim is not deleted before its floor. A deletion stamped too early could never be completed, and the Mac would be out of service until a
 * repair on the control-plane host: so it is refused here, whoever asks.
 */
export async function validateDeletedClaim(plane: ControlPlane, claim: MacNodeBinding): Promise<Judgement> {
  const now = await plane.serverTime();
  const floor = floorEnd(claim);
  if (now >= floor) return NOTHING_AGAINST;
  return {
    verdict: refuse('EarlyRelease', '', `The claim on Mac ${claim.metadata.name} cannot be deleted before ${formatInstant(floor)}, in ${formatRemaining(floor - now)}: `
      + "Apple's licence, section 3A(ii), makes a lease last at least 24 consecutive hours. The operator deletes it by itself after that, when the lease is released.", floor),
  };
}
