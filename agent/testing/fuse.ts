import type { ControlPlane } from '../../sdk/client/control-plane';
import type { Timers } from '../../sdk/client/timers';
import type { Hypervisor } from '../driver';
import { journalLineSchema } from '../journal/line';
import type { DurableLines } from '../journal/lines-file';

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/**
 * Kills an agent before or after one of its writes: to the plane, to the journal or to the hypervisor. From then on nothing that it does has an effect
 * and nothing that it waits for arrives, as after kill -9; what was under way at the other side goes on.
 */
export class Fuse {
  isBlown = false;
  /** What was written so far: `<verb> <what> #<how often>`. The number of reports differs from run to run, so a plain count would name another write each time. */
  readonly writes: string[] = [];
  readonly #often = new Map<string, number>();

  /** @param at the write to be killed at, as in `writes`. */
  constructor(private readonly at: string | undefined, private readonly side: 'before' | 'after', private readonly onBlow: () => void) {}

  plane(plane: ControlPlane): ControlPlane {
    const handlers = <T extends object>(of: T): T => new Proxy(of, { get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (...args: unknown[]) => (this.isBlown ? undefined : value.apply(target, args) as unknown) : value;
    } });
    return {
      endpoint: plane.endpoint, namespace: plane.namespace,
      get: (...args) => this.#read(plane.get(...args)),
      tryGet: (...args) => this.#read(plane.tryGet(...args)),
      list: (...args) => this.#read(plane.list(...args)),
      watch: (kind, selection, on) => plane.watch(kind, selection, handlers(on)),
      create: (kind, object, options) => this.#write(`create ${kind.kind} ${object.metadata.name}`, () => plane.create(kind, object, options)),
      patch: (kind, ref, patch, options) => this.#write(`patch ${kind.kind} ${ref.name}${phaseOf(patch)}`, () => plane.patch(kind, ref, patch, options)),
      remove: (kind, ref, options) => this.#write(`remove ${kind.kind} ${ref.name}`, () => plane.remove(kind, ref, options)),
      serverTime: () => this.#read(plane.serverTime()),
      lastServerTime: () => plane.lastServerTime(),
      close: () => undefined,
    };
  }

  hypervisor(hypervisor: Hypervisor): Hypervisor {
    return {
      hardwareUUID: () => this.#read(hypervisor.hardwareUUID()),
      bootID: () => this.#read(hypervisor.bootID()),
      probeLimit: () => this.#read(hypervisor.probeLimit()),
      list: () => this.#read(hypervisor.list()),
      disks: () => this.#read(hypervisor.disks()),
      create: (spec) => this.#write(`create bundle ${spec.instanceUID}`, () => hypervisor.create(spec)),
      start: (uid) => this.#write(`start machine ${uid}`, () => hypervisor.start(uid)),
      stop: (uid, graceMs) => this.#write(`stop machine ${uid}`, () => hypervisor.stop(uid, graceMs)),
      delete: (uid) => this.#write(`delete bundle ${uid}`, () => hypervisor.delete(uid)),
      onChange: (listener) => hypervisor.onChange(() => { if (!this.isBlown) listener(); }),
    };
  }

  lines(lines: DurableLines): DurableLines {
    return { read: () => lines.read(), close: () => lines.close(), append: (line) => this.#write(`journal ${titleOf(line)}`, () => lines.append(line)) };
  }

  timers(timers: Timers): Timers {
    return { after: (milliseconds, callback) => timers.after(milliseconds, () => { if (!this.isBlown) callback(); }) };
  }

  async #read<T>(answer: Promise<T>): Promise<T> {
    const value = await answer;
    return this.isBlown ? never() : value;
  }

  async #write<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (this.isBlown) return never();
    const often = (this.#often.get(what) ?? 0) + 1;
    this.#often.set(what, often);
    this.writes.push(`${what} #${often}`);
    const isLast = this.writes.at(-1) === this.at;
    if (isLast && this.side === 'before') return this.#blow();
    // A write that is refused was made all the same.
    const answer = await work().then((value) => () => value, (error: unknown) => () => { throw error; });
    if (isLast) return this.#blow();
    return this.isBlown ? never() : answer();
  }

  #blow<T>(): Promise<T> {
    this.isBlown = true;
    this.onBlow();
    return never();
  }
}

const phaseOf = (patch: { status?: { phase?: string } }): string => (patch.status?.phase === undefined ? '' : ` ${patch.status.phase}`);

function titleOf(line: string): string {
  const { body } = journalLineSchema.parse(JSON.parse(line));
  if (body.kind === 'Event') return `${body.entry.event} ${body.entry.instanceUID}`;
  return `${body.kind} ${'run' in body ? body.run.instanceUID : ''}`.trim();
}
