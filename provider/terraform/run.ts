import type { ProviderHandlers } from './handlers';
import { isInvited } from './protocol/handshake';
import { serve } from './serve';
import { reasonOf } from './server/wire-diagnostics';

/** The whole life of a provider process. Started by hand it says what it is, and fails. */
export async function run(handlers: () => ProviderHandlers): Promise<void> {
  if (!isInvited(process.env)) {
    process.stderr.write('This is the MacRack provider. terraform and tofu start it by themselves: run one of them instead.\n');
    process.exitCode = 1;
    return;
  }
  try {
    await serve(handlers());
  } catch (error) {
    process.stderr.write(`The MacRack provider could not start: ${reasonOf(error)}\n`);
    process.exitCode = 1;
  }
}
