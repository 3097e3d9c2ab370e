import { randomBytes } from 'node:crypto';
import { CLOCK_NAME, Kinds } from '../../../sdk/api';
import type { ControlPlane } from '../../../sdk/client/control-plane';
import { instant, parseInstant, type Instant } from '../../../sdk/rules/instant';
import { ask } from './ask';
import type { Check } from './check';
import { bad, Fault, GOOD, type Finding } from './finding';
import { MOST_SKEW_MS, SteadyTime, type Asked } from './steady-time';

type Source = 'the Date header' | 'the stamp of a dry run';

function skewed(source: Source, step: number): Finding {
  return bad(Fault.ClockSkew, `${source} of the API server is ${(Math.abs(step) / 1000).toFixed(1)} s ${step > 0 ? 'ahead of' : 'behind'} the time that has passed on this host, and ${MOST_SKEW_MS / 1000} s are tolerated. `
    + "Put the clocks of the control plane right. If the API server's clock is right now and was wrong before, restart the operator.");
}

/** The server's time, held against the monotonic clock of this host at every reading. */
export class WatchedClock {
  readonly #steady = new SteadyTime();
  readonly #steps = new Map<Source, number>();

  /** @param onSkew called at a reading that is off by more than is tolerated */
  constructor(private readonly onSkew: (finding: Finding) => void, private readonly monotonic: () => number = () => performance.now()) {}

  /** Largest step seen at the last readings, in milliseconds. */
  get skewMs(): number {
    return Math.max(0, ...[...this.#steps.values()].map(Math.abs));
  }

  /** The least of what the server says and what it can be by the time that has passed. Throws Error when the two are too far apart. */
  async time(read: () => Promise<Instant>): Promise<Instant> {
    const { stamp, finding } = await this.read('the Date header', read);
    if (finding.state === 'bad') {
      this.onSkew(finding);
      throw new Error(finding.message);
    }
    return instant(Math.min(stamp, this.#steady.now(this.monotonic()) ?? stamp));
  }

  async read(source: Source, read: () => Promise<Instant>): Promise<{ readonly stamp: Instant; readonly finding: Finding }> {
    const before = this.monotonic();
    const stamp = await read();
    const asked: Asked = { before, after: this.monotonic() };
    const step = this.#steady.observe(stamp, asked);
    this.#steps.set(source, step);
    return { stamp, finding: Math.abs(step) > MOST_SKEW_MS ? skewed(source, step) : GOOD };
  }
}

/** When the server stamped an object that it did not store. */
async function stampOfDryRun(plane: ControlPlane, namespace: string): Promise<Instant> {
  const name = `macrack-clock-probe-${randomBytes(4).toString('hex')}`;
  const { metadata } = await plane.create(Kinds.CoordinationLease, { metadata: { namespace, name }, spec: {} }, { dryRun: true });
  return parseInstant(metadata.creationTimestamp);
}

/** @param tell told when the Clock of the policies was stamped; undefined while there is none */
export function clockCheck(plane: ControlPlane, clock: WatchedClock, namespace: string, tell: (stamped: Instant | undefined) => void): Check {
  return {
    name: 'clock', halts: true, everyMs: 10_000,
    look: () => ask(async () => {
      const date = await clock.read('the Date header', () => plane.serverTime());
      const stamp = await clock.read('the stamp of a dry run', () => stampOfDryRun(plane, namespace));
      const stored = await plane.tryGet(Kinds.Clock, { name: CLOCK_NAME });
      tell(stored === null ? undefined : parseInstant(stored.metadata.creationTimestamp));
      return date.finding.state === 'good' ? stamp.finding : date.finding;
    }),
  };
}
