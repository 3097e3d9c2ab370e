import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Durable lines of text, the only storage that the agent has. */
export interface DurableLines {
  /** All whole lines; called once, first. A last line without its end was never confirmed, and is cut off by the next append. */
  read(): Promise<readonly string[]>;
  /** Resolves when the line would survive a power cut. After a rejection the line is not in the file, or is cut off by the next append. */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

/** Lines in a file, each followed by fsync. The file is made with mode 0600 if it does not exist. */
export function linesFile(path: string): DurableLines {
  return new LinesFile(path);
}

class LinesFile implements DurableLines {
  #file: FileHandle | undefined;
  #closed = false;
  /** Bytes that are known to be whole lines; what lies beyond is debris of a write that failed. */
  #good = 0;

  constructor(private readonly path: string) {}

  async read(): Promise<readonly string[]> {
    const file = await this.#opened();
    const bytes = await file.readFile();
    this.#good = bytes.lastIndexOf(0x0a) + 1;
    const text = bytes.subarray(0, this.#good).toString('utf8');
    return text === '' ? [] : text.slice(0, -1).split('\n');
  }

  async append(line: string): Promise<void> {
    const file = await this.#opened();
    const bytes = Buffer.from(`${line}\n`);
    await file.truncate(this.#good);
    const { bytesWritten } = await file.write(bytes, 0, bytes.length, this.#good);
    if (bytesWritten !== bytes.length) throw new Error(`${this.path}: only ${bytesWritten} of ${bytes.length} bytes were written`);
    await file.sync();
    this.#good += bytes.length;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #opened(): Promise<FileHandle> {
    if (this.#closed) throw new Error(`${this.path} is closed`);
    return this.#file ??= await open(this.path, 'r+').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return createDurably(this.path);
    });
  }
}

// A file whose directory entry is lost in a power cut is a journal that says nothing ever ran.
async function createDurably(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', 0o600);
  const directory = await open(dirname(path), 'r');
  await directory.sync().finally(() => directory.close());
  return file;
}
