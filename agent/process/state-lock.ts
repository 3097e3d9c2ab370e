import { join } from 'node:path';

/** Gives the state directory up. */
export type Unlock = () => void;

/**
 * Takes the state directory for this process alone. The lock is the operating system's, on an open file: it ends with the process, also by kill -9,
 * and no two processes can both find it stale.
 * @throws Error when another agent has it, or the directory cannot be written
 */
export async function lockState(directory: string): Promise<Unlock> {
  const { default: Database } = await import('better-sqlite3');
  const path = join(directory, 'lock');
  let database;
  try {
    database = new Database(path, { timeout: 0 });
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    const { code } = error as { code?: string };
    if (code === 'SQLITE_BUSY') throw new Error(`another agent runs with the state directory ${directory}: one Mac has one agent`, { cause: error });
    throw new Error(`the state directory ${directory} cannot be locked: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return () => database.close();
}
