import type { KubeObject } from '../../api/object';
import type { WatchHandlers } from '../control-plane';
import type { PlaneError } from '../errors';

/** Handlers that write down what they hear, and a way to wait for it. */
export class WatchLog implements WatchHandlers<KubeObject> {
  readonly lines: string[] = [];
  #waiting: (() => void)[] = [];

  readonly onSync = (items: readonly KubeObject[]): void => this.#add(`SYNC ${items.map((item) => item.metadata.name).join(' ')}`.trim());
  readonly onChange = (type: string, object: KubeObject): void => this.#add(`${type} ${object.metadata.name}`);
  readonly onFault = (error: unknown): void => this.#add(`FAULT ${(error as Partial<PlaneError>).fault ?? String(error)}`);

  /** Resolves when a line equals `line`, at or after position `from`; gives the position after it. */
  async until(line: string, from = 0): Promise<number> {
    for (;;) {
      const at = this.lines.indexOf(line, from);
      if (at >= 0) return at + 1;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #add(line: string): void {
    this.lines.push(line);
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
