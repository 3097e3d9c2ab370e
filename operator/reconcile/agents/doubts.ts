import { instant, type Instant } from '../../../sdk/rules/instant';

/** Why a Mac is not taken at the word of its reports. */
export interface Doubt {
  /** `AgentUnavailable`: it could not be asked. `AgentDisagrees`: it was, and is not what the step needs. */
  readonly reason: 'AgentUnavailable' | 'AgentDisagrees';
  /** For administrators' logs: it may name the Mac. */
  readonly why: string;
  /** It is asked again no earlier: an agent that does not answer costs a worker the time that it is waited for. */
  readonly retryAt: Instant;
}

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

/** The Macs whose agents were asked and gave no good answer, by serial. In memory: a new operator asks anew. */
export class Doubts {
  /** Told of each serial whose doubt appears, changes or goes. */
  onChange: (serial: string) => void = () => undefined;
  readonly #doubts = new Map<string, Doubt & { readonly failures: number }>();

  of(serial: string): Doubt | undefined {
    return this.#doubts.get(serial);
  }

  /** The doubt, while it is too early to ask again. */
  standing(serial: string, now: Instant): Doubt | undefined {
    const doubt = this.#doubts.get(serial);
    return doubt !== undefined && now < doubt.retryAt ? doubt : undefined;
  }

  raise(serial: string, reason: Doubt['reason'], why: string, now: Instant): Doubt {
    const old = this.#doubts.get(serial);
    const failures = (old?.failures ?? 0) + 1;
    const doubt = { reason, why, failures, retryAt: instant(now + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failures - 1))) };
    this.#doubts.set(serial, doubt);
    if (old?.reason !== reason) this.onChange(serial);
    return doubt;
  }

  clear(serial: string): void {
    if (this.#doubts.delete(serial)) this.onChange(serial);
  }
}
