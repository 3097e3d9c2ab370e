import type { ApiObject } from '../json';

export interface Kept {
  revision: number;
  objects: { key: string; object: ApiObject }[];
}

/** Where a store keeps what must outlive the process. */
export interface Journal {
  /** What was recorded last. */
  load(): Kept;
  /** Durable when it returns: a write is answered, and seen by watches, only after. @throws Error when it cannot be kept */
  record(revision: number, key: string, change: { name: string; object: ApiObject | undefined }): void;
}
