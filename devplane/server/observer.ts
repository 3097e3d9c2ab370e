import type { RequestVerb } from './route';

/** One request on a resource, as tests count it. */
export interface RequestRecord {
  /** From 1, over all requests of the plane. */
  sequence: number;
  /** From 1, over the requests that may change something; undefined for a read or a dry run. */
  write?: number;
  user: string;
  verb: RequestVerb;
  /** `pods`, `pods/status`, `macnodeleases.macrack.io`. */
  resource: string;
  namespace?: string;
  name?: string;
  /** Set when the answer is an error: a write that changed nothing. */
  isRefused?: true;
}

/**
 * Called around each request. One that throws (or rejects) destroys the connection without an answer:
 * in `before` nothing has been done yet, in `after` all has. So a test enumerates crashes at every write.
 */
export interface RequestHook {
  before?(record: RequestRecord): void | Promise<void>;
  after?(record: RequestRecord): void | Promise<void>;
}

/** Counts requests and lets tests stand between them. */
export class RequestObserver {
  readonly records: RequestRecord[] = [];
  readonly #hooks = new Set<RequestHook>();
  #writes = 0;

  /** @returns removes the hook. */
  add(hook: RequestHook): () => void {
    this.#hooks.add(hook);
    return () => void this.#hooks.delete(hook);
  }

  record(request: Omit<RequestRecord, 'sequence' | 'write'>, isWrite: boolean): RequestRecord {
    const record = { sequence: this.records.length + 1, ...(isWrite && { write: ++this.#writes }), ...request };
    this.records.push(record);
    return record;
  }

  async run(moment: 'before' | 'after', record: RequestRecord): Promise<void> {
    for (const hook of this.#hooks) await hook[moment]?.(record);
  }

  /** How many requests, by `user verb resource`, e.g. `macrack-operator create pods`. @param from counts only records after this sequence number. */
  counts(from = 0): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { user, verb, resource } of this.records.slice(from)) {
      const key = `${user} ${verb} ${resource}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    return counts;
  }
}
