import type { Call, Core } from '../../core/core';
import type { Maybe } from '../../../sdk/rules/unknown';
import type { CallContext } from '../handlers';

/** Milliseconds without a working call after which Terraform has no more to ask before it hears from us. */
const SETTLE_MS = 200;

/** What the handlers of one provider process share; set anew by each `configure`. */
export interface Session {
  readonly core: Core;
  /** Of the provider's configuration, else of the kubeconfig's context; unknown while that is. */
  readonly namespace: Maybe<string>;
}

/** Where the handlers find the session of the moment. */
export interface Sessions {
  /** Throws before the provider is configured: Terraform does not call so. */
  current(): Session;
  /** A resource is validated, perhaps before the provider is configured. */
  validating(): void;
}

/** One call of Terraform as the core sees it. */
export function callOf({ signal, inFlight }: CallContext): Call {
  return {
    signal,
    get waiting() { return inFlight.waiting; },
    quiet: (wake) => inFlight.quiet(SETTLE_MS, wake),
  };
}
