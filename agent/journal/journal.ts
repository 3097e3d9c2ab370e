import type { JournalEntry } from '../../sdk/api/mac-node';
import { Mutex } from '../mutex';
import { Ledger } from './ledger';
import { journalLineSchema, type JournalLine, type LineBody } from './line';
import type { DurableLines } from './lines-file';

/** The agent does not know what happened (`JournalDamaged`) or cannot write down what it is about to do (`JournalUnwritable`): no start. */
export interface JournalFault { readonly reason: 'JournalDamaged' | 'JournalUnwritable'; readonly message: string }

export class JournalError extends Error {
  override readonly name = 'JournalError';

  constructor(readonly fault: JournalFault, options?: { cause?: unknown }) {
    super(`${fault.reason}: ${fault.message}`, options);
  }
}

/** An event before it has its number. */
export type NewEntry = Omit<JournalEntry, 'seq'>;

export interface RecordOptions {
  /** Slots that the kernel was found to leak, where that was found. */
  readonly leaked?: number;
  /** Asked when it is this event's turn: true where another path has already written it. */
  readonly unless?: () => boolean;
}

/** The durable journal: an append resolves once the line is on the disk, and only then does the ledger know it. */
export class Journal {
  readonly ledger = new Ledger();
  #fault: JournalFault | undefined;
  readonly #order = new Mutex();

  private constructor(private readonly store: DurableLines) {}

  /** Reads the whole journal. Never rejects: what cannot be read is a fault, under which nothing is started. */
  static async open(store: DurableLines): Promise<Journal> {
    const journal = new Journal(store);
    try {
      journal.#load(await store.read());
    } catch (error) {
      journal.#fault = { reason: 'JournalDamaged', message: describe(error) };
    }
    return journal;
  }

  /** Undefined while the journal is whole and could be written last time. */
  get fault(): JournalFault | undefined {
    return this.#fault;
  }

  /** Rejects with JournalError; the line is then not part of the journal. */
  append(boot: string, body: LineBody): Promise<void> {
    return this.#order.run(() => this.#write(boot, body));
  }

  /** Appends a published event with the next sequence number. */
  record(boot: string, entry: NewEntry, options: RecordOptions = {}): Promise<void> {
    const { leaked, unless } = options;
    return this.#order.run(async () => {
      if (unless?.() === true) return;
      await this.#write(boot, { kind: 'Event', entry: { seq: this.ledger.seq + 1, ...entry }, ...(leaked === undefined ? {} : { leaked }) });
    });
  }

  /** Published events with a greater number than `after`, oldest first, at most `most`. Older ones than the ledger keeps are read from the disk. */
  async events(after: number, most: number): Promise<readonly JournalEntry[]> {
    const { tail } = this.ledger;
    const isKept = tail[0] === undefined || after >= tail[0].seq - 1;
    const all = isKept ? tail : eventsOf(await this.#order.run(() => this.store.read()));
    return all.filter(({ seq }) => seq > after).slice(0, most);
  }

  close(): Promise<void> {
    return this.#order.run(() => this.store.close());
  }

  #load(lines: readonly string[]): void {
    for (const [index, text] of lines.entries()) {
      const parsed = journalLineSchema.parse(JSON.parse(text));
      if (parsed.line !== index + 1) throw new Error(`line ${index + 1} says that it is line ${parsed.line}: lines are missing`);
      if (parsed.body.kind === 'Event' && parsed.body.entry.seq !== this.ledger.seq + 1) throw new Error(`event ${parsed.body.entry.seq} follows event ${this.ledger.seq}`);
      this.ledger.apply(parsed);
    }
  }

  async #write(boot: string, body: LineBody): Promise<void> {
    if (this.#fault?.reason === 'JournalDamaged') throw new JournalError(this.#fault);
    const line: JournalLine = { line: this.ledger.lines + 1, boot, body };
    try {
      await this.store.append(JSON.stringify(line));
    } catch (error) {
      this.#fault = { reason: 'JournalUnwritable', message: describe(error) };
      throw new JournalError(this.#fault, { cause: error });
    }
    this.#fault = undefined;
    this.ledger.apply(line);
  }
}

function eventsOf(lines: readonly string[]): JournalEntry[] {
  return lines.map((text) => journalLineSchema.parse(JSON.parse(text)).body).flatMap((body) => (body.kind === 'Event' ? [body.entry] : []));
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
