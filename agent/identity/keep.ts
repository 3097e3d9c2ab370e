import type { Timers } from '../../sdk/client/timers';
import { CertificateRefused } from './obtain';
import type { Pair, PairStore } from './pair-store';

export interface KeepOptions {
  readonly store: PairStore;
  /** Milliseconds since the epoch, by the API server where it has answered. */
  readonly now: () => number;
  readonly timers: Timers;
  readonly signal: AbortSignal;
  /** False where a valid certificate is not the one that is wanted. Default: each is. */
  readonly isFit?: (pair: Pair) => boolean;
  /** Obtains another. @param valid the present one while it is in force; undefined for none or an expired one */
  readonly renew: (valid: Pair | undefined) => Promise<Pair>;
  /** Called with every certificate that is used from now on. */
  readonly onPair: (pair: Pair) => Promise<void> | void;
  /** Called when another could not be obtained. @param retryMs milliseconds until it is tried again */
  readonly onFailure: (error: unknown, current: Pair | undefined, retryMs: number) => void;
}

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
// Each refusal is a request and a row of the audit record; only an administrator changes the answer.
const LONGEST_RETRY_AFTER_REFUSAL_MS = 900_000;
// A signer that gives out very short certificates is not asked in a circle; and the time of the server, once known, may differ from ours.
const LEAST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;

/** When a certificate is renewed: after two thirds of its life. Milliseconds since the epoch. */
export function renewalAt({ notBefore, notAfter }: Pick<Pair, 'notBefore' | 'notAfter'>): number {
  return notBefore + (notAfter - notBefore) * 2 / 3;
}

/** Keeps one certificate in force until `signal` aborts. Never rejects. */
export async function keep(options: KeepOptions): Promise<void> {
  const { signal, timers } = options;
  const told = { certificate: '' };
  let failures = 0;
  let isFresh = false;
  while (!signal.aborted) {
    const current = await tryCurrent(options);
    if (current !== undefined) await tell(options, current, told);
    const left = leftOf(options, current);
    if (left > 0 || isFresh) {
      await sleep(Math.min(LONGEST_WAIT_MS, Math.max(LEAST_WAIT_MS, left)), timers, signal);
      isFresh = false;
      continue;
    }
    const failure = await tryRenew(options, current, failures);
    isFresh = failure === undefined;
    failures = failure === undefined ? 0 : failures + 1;
    if (failure !== undefined) await sleep(failure, timers, signal);
  }
}

async function tell({ onPair }: KeepOptions, current: Pair, told: { certificate: string }): Promise<void> {
  if (current.certificate === told.certificate) return;
  told.certificate = current.certificate;
  await onPair(current);
}

/** Milliseconds until another certificate is due; none left where there is no fit one. */
function leftOf({ now, isFit = () => true }: KeepOptions, current: Pair | undefined): number {
  return current !== undefined && isFit(current) ? Math.max(0, renewalAt(current) - now()) : 0;
}

/** Milliseconds until the next try; undefined when it succeeded. */
async function tryRenew({ renew, now, onFailure, signal }: KeepOptions, current: Pair | undefined, failures: number): Promise<number | undefined> {
  try {
    await renew(current !== undefined && now() < current.notAfter ? current : undefined);
    return undefined;
  } catch (error) {
    const retryMs = waitAfter(error, failures);
    if (!signal.aborted) onFailure(error, current, retryMs);
    return retryMs;
  }
}

function waitAfter(error: unknown, failures: number): number {
  if (error instanceof CertificateRefused) return Math.min(LONGEST_RETRY_AFTER_REFUSAL_MS, LONGEST_RETRY_MS * 2 ** failures);
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
}

// A file that cannot be used is as good as none: another certificate takes its place.
async function tryCurrent({ store, onFailure }: KeepOptions): Promise<Pair | undefined> {
  try {
    return await store.current();
  } catch (error) {
    onFailure(error, undefined, 0);
    return undefined;
  }
}

function sleep(milliseconds: number, timers: Timers, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timers.after(milliseconds, end);
    signal.addEventListener('abort', end);
  });
}
