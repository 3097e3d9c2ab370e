import { Mutex } from '../mutex';
import type { DurableLines } from '../journal/lines-file';
import { ApiFault } from './api-fault';

const LARGEST_HEAD = 4096;
const MOST_SHOWN = 100;

/** Heads of the audit record that the operator hands out, so that a record which was rewritten later can be told from them. Lines are only ever added. */
export class AuditHeads {
  #lines: Promise<string[]> | undefined;
  readonly #order = new Mutex();

  constructor(private readonly store: DurableLines) {}

  /** Resolves when the head is on the disk. The head that was stored last is not stored again. */
  put(head: object): Promise<void> {
    const line = JSON.stringify(head);
    if (line.length > LARGEST_HEAD) throw new ApiFault(413, `a head has at most ${LARGEST_HEAD} characters`);
    return this.#order.run(async () => {
      const lines = await this.#read();
      if (lines.at(-1) === line) return;
      await this.store.append(line);
      lines.push(line);
    });
  }

  /** The newest hundred, oldest first. */
  async newest(): Promise<Record<string, unknown>[]> {
    return (await this.#read()).slice(-MOST_SHOWN).map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  close(): Promise<void> {
    return this.#order.run(() => this.store.close());
  }

  #read(): Promise<string[]> {
    return this.#lines ??= this.store.read().then((lines) => [...lines]).catch((error: unknown) => {
      this.#lines = undefined;
      throw error;
    });
  }
}
