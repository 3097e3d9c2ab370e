import Database from 'better-sqlite3';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiObject, Json } from '../json';
import type { Journal, Kept } from './journal';

const schema = `
  CREATE TABLE IF NOT EXISTS objects (resource TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (resource, name)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
`;

/** A process that is killed loses nothing with WAL and NORMAL; only a crash of the machine may take the last writes. */
function open(directory: string): Database.Database {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'plane.sqlite');
  const database = new Database(file, { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.exec(schema);
    // The keys of the authority and every token are in it.
    chmodSync(file, 0o600);
    return database;
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw new Error(`${file} cannot be used: ${(error as Error).message}`, { cause: error });
    throw new Error(`${directory} is in use by another development plane: end that one, or take another directory`, { cause: error });
  }
}

/** The directory of a plane that goes on after its process has ended, also by SIGKILL. One process at a time. */
export class DataDirectory implements Journal {
  readonly #database: Database.Database;
  readonly #write: (revision: number, resource: string, name: string, body: string | undefined) => void;

  /** @throws Error when another process has it */
  constructor(directory: string) {
    this.#database = open(directory);
    const put = this.#database.prepare('INSERT OR REPLACE INTO objects (resource, name, body) VALUES (?, ?, ?)');
    const remove = this.#database.prepare('DELETE FROM objects WHERE resource = ? AND name = ?');
    this.#write = this.#database.transaction((revision: number, resource: string, name: string, body: string | undefined) => {
      if (body === undefined) remove.run(resource, name);
      else put.run(resource, name, body);
      this.keep('revision', revision);
    });
  }

  load(): Kept {
    const rows = this.#database.prepare('SELECT resource, body FROM objects ORDER BY resource, name').all() as { resource: string; body: string }[];
    return { revision: this.fact<number>('revision') ?? 1, objects: rows.map(({ resource, body }) => ({ key: resource, object: JSON.parse(body) as ApiObject })) };
  }

  record(revision: number, key: string, { name, object }: { name: string; object: ApiObject | undefined }): void {
    this.#write(revision, key, name, object && JSON.stringify(object));
  }

  /** A fact of the plane that is no object, or undefined if it was never kept. */
  fact<T extends Json>(name: string): T | undefined {
    const row = this.#database.prepare('SELECT body FROM facts WHERE name = ?').get(name) as { body: string } | undefined;
    return row && (JSON.parse(row.body) as T);
  }

  keep(name: string, value: Json): void {
    this.#database.prepare('INSERT OR REPLACE INTO facts (name, body) VALUES (?, ?)').run(name, JSON.stringify(value));
  }

  close(): void {
    this.#database.close();
  }
}
