import type { PassingRequest } from './passing-request';
import type { ProxyHook } from './plane-proxy';
import { isHeartbeat, writeLabel } from './write-label';

/** A write, as `writeLabel #n` of one life, and the side of it on which the line is cut. */
export interface CutPoint {
  readonly label: string;
  readonly moment: 'before' | 'after';
}

/**
 * The writes of one life, of whoever makes them. At a cut point the one who writes hears no more, and none of its later writes of that life comes
 * through, until the line is mended: for that life the server is dead from that very point on.
 */
export class LifeLine {
  /** Every write that came through, in order. */
  readonly labels: string[] = [];
  #next: CutPoint | undefined;
  #isCut = false;
  #arrived: (() => void) | undefined;
  readonly #numbered = new WeakMap<PassingRequest, string>();

  /** @param serial is in the name of all that belongs to the life. */
  constructor(readonly serial: string) {}

  /** Resolves when the line is cut there. */
  cutAt(point: CutPoint): Promise<void> {
    this.#next = point;
    return new Promise((resolve) => { this.#arrived = resolve; });
  }

  mend(): void {
    this.#isCut = false;
    this.#next = undefined;
  }

  owns({ name, namespace }: PassingRequest): boolean {
    return `${namespace} ${name}`.includes(this.serial);
  }

  before(request: PassingRequest): void {
    if (!request.isWrite || isHeartbeat(request)) return;
    if (this.#isCut) throw new Error('the line is cut');
    const text = writeLabel(request);
    const label = `${text} #${this.labels.filter((known) => known.startsWith(`${text} #`)).length + 1}`;
    if (this.#cuts(label, 'before')) throw new Error('the line is cut');
    this.labels.push(label);
    this.#numbered.set(request, label);
  }

  after(request: PassingRequest): void {
    const label = this.#numbered.get(request);
    if (label !== undefined && this.#cuts(label, 'after')) throw new Error('the line is cut');
  }

  #cuts(label: string, moment: CutPoint['moment']): boolean {
    if (this.#next?.label !== label || this.#next.moment !== moment) return false;
    this.#isCut = true;
    this.#next = undefined;
    this.#arrived?.();
    return true;
  }
}

/** Gives each request to the line of its life. */
export function lifeLines(lines: () => readonly LifeLine[]): ProxyHook {
  const line = (request: PassingRequest): LifeLine | undefined => lines().find((each) => each.owns(request));
  return { before: (request) => line(request)?.before(request), after: (request) => line(request)?.after(request) };
}
