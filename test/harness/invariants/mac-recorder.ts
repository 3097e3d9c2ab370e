import Database from 'better-sqlite3';
import { disksOf, instanceOf, type MachineStart, type MacMoment, type MacRecord } from './mac-history';

interface Row { readonly seq: number; readonly started: string | null; readonly running: string; readonly bundles: string }

// As DurableSimMac counts them: one whose time has come is gone, though its row may stand.
const RUNNING = "SELECT json_group_array(name) FROM machines WHERE stopAt IS NULL OR stopAt > round(unixepoch('subsec') * 1000)";
const CHANGES = [['bundles', 'INSERT'], ['bundles', 'DELETE'], ['machines', 'INSERT'], ['machines', 'UPDATE'], ['machines', 'DELETE']] as const;

const trigger = ([table, change]: (typeof CHANGES)[number]): string => `
  CREATE TRIGGER moment_${table}_${change} AFTER ${change} ON ${table} BEGIN
    INSERT INTO moments (started, running, bundles) VALUES (${table === 'machines' && change === 'INSERT' ? 'NEW.name' : 'NULL'}, (${RUNNING}), (SELECT json_group_array(name) FROM bundles));
  END;`;

const SCHEMA = `CREATE TABLE moments (seq INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT, running TEXT NOT NULL, bundles TEXT NOT NULL); ${CHANGES.map(trigger).join('')}`;

/**
 * Makes a simulated Mac in a file write down what happens on it: by triggers, in the transaction of whoever does it. So nothing is missed between two
 * looks, whichever process does it and however soon after it that process dies.
 */
export class MacRecorder implements MacRecord {
  readonly #db: Database.Database;
  readonly #moments: MacMoment[] = [];
  readonly #starts: MachineStart[] = [];
  #last = 0;

  /** @param path of a DurableSimMac, which has made the file */
  constructor(private readonly serial: string, path: string) {
    this.#db = new Database(path);
    this.#db.exec(SCHEMA);
  }

  moments(): readonly MacMoment[] {
    this.#read();
    return this.#moments;
  }

  starts(): readonly MachineStart[] {
    this.#read();
    return this.#starts;
  }

  close(): void {
    this.#db.close();
  }

  #read(): void {
    const { serial } = this;
    for (const row of this.#db.prepare<[number], Row>('SELECT * FROM moments WHERE seq > ? ORDER BY seq').all(this.#last)) {
      this.#last = row.seq;
      this.#moments.push({ serial, running: (JSON.parse(row.running) as string[]).map(instanceOf), disks: disksOf(JSON.parse(row.bundles) as string[]) });
      const instanceUID = row.started === null ? undefined : instanceOf(row.started);
      if (instanceUID !== undefined) this.#starts.push({ serial, instanceUID });
    }
  }
}
