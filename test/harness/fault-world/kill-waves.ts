import type { FaultWorld } from './fault-world';
import { Life } from './life';
import { type CutPoint, LifeLine, lifeLines } from './life-line';
import type { ProxyHook } from './plane-proxy';
import type { WorldMac } from './world-mac';

// A life that does not come by its point any more must not hold up the others for ever.
const PATIENCE_MS = 60_000;
// The order of independent writes varies, so that a life may pass by its point before it is armed: other lives try.
const MOST_ROUNDS = 3;

/** Reports of what changed meanwhile (an address, the slots in use): how many there are depends on what falls together. */
const isReport = (label: string): boolean => /^patch (macnodeleases|macosinstances)\/status #|^patch macnodes\/status (?!after (Started with 1|Stopped with 0|Wiped)).*#|#(?!1$)\d+$/.test(label) && !/^patch macnodeleases\/status Bound #2$/.test(label);

/**
 * Kills something before and after every write of the lives of leases. The lives, one on each Mac, are cut at a point each; when all are, for each of
 * them the world is as a death at that very point leaves it, and one death serves them all. Then they go on to their next points.
 */
export class KillWaves {
  /** The writes of one life that nobody disturbs, in order; reports are left out. */
  labels: readonly string[] = [];
  readonly hook: ProxyHook;
  #lines: LifeLine[] = [];
  #lives = 0;

  constructor(private readonly world: FaultWorld<WorldMac>, private readonly tenants: readonly string[]) {
    this.hook = lifeLines(() => this.#lines);
  }

  /** Lives once without a death, and remembers the writes. */
  async scout(): Promise<readonly string[]> {
    const [serial = ''] = this.world.macs.keys();
    this.#lines = [new LifeLine(serial)];
    await this.#life(serial).live();
    await this.world.untilWhole();
    this.labels = (this.#lines[0]?.labels ?? []).filter((label) => !isReport(label));
    return this.labels;
  }

  /**
   * @param strike called with the Mac of a life at the very moment at which that is cut, before anybody hears of it
   * @returns points that no life came by. @throws Error when a life does not reach its end, or the world is not whole after it
   */
  async kill(death: () => Promise<void>, labels = this.labels, strike: (serial: string) => void = () => undefined): Promise<readonly CutPoint[]> {
    let points = labels.flatMap((label): CutPoint[] => [{ label, moment: 'before' }, { label, moment: 'after' }]);
    for (let round = 0; round < MOST_ROUNDS && points.length > 0; round += 1) points = await this.#round(points, death, strike);
    await this.world.untilWhole();
    return points;
  }

  async #round(points: readonly CutPoint[], death: () => Promise<void>, strike: (serial: string) => void): Promise<CutPoint[]> {
    const serials = [...this.world.macs.keys()].slice(0, points.length);
    this.#lines = serials.map((serial) => new LifeLine(serial));
    const missed: CutPoint[] = [];
    let lives: Promise<void>[] = [];
    for (let first = 0; first < points.length; first += serials.length) {
      const wave = points.slice(first, first + serials.length);
      const cuts = wave.map((point, i) => this.#lines[i]?.cutAt(point).then(() => strike(serials[i] ?? '')) ?? Promise.resolve());
      if (first === 0) lives = serials.map((serial) => this.#life(serial).live());
      const met = await Promise.all(cuts.map((cut, i) => isMet(cut, lives[i] ?? Promise.resolve())));
      missed.push(...wave.filter((_point, i) => met[i] === false));
      await death();
      for (const line of this.#lines) line.mend();
    }
    await Promise.all(lives);
    return missed;
  }

  #life(serial: string): Life {
    this.#lives += 1;
    return new Life(this.world, serial, this.tenants[this.#lives % this.tenants.length] ?? '', `life-${this.#lives}`);
  }
}

async function isMet(met: Promise<void>, life: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<boolean>((resolve) => { timer = setTimeout(() => resolve(false), PATIENCE_MS); });
  return Promise.race([met.then(() => true), life.then(() => false, () => false), patience]).finally(() => clearTimeout(timer));
}
