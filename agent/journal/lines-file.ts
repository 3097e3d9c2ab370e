import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Durable lines of text, the only storage that the agent has. */
export interface DurableLines {
  /** All whole lines; called first, and never during an append. A last line without its end was never confirmed, and is cut off by the next append. */
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
  /** Bytes that are known to be whole lines; what lies beyond is debris of a write that failed. Undefined until the first read. */
  #good: number | undefined;

  constructor(private readonly path: string) {}

  async read(): Promise<readonly string[]> {
    const file = await this.#opened();
    const bytes = await readWhole(file);
    this.#good ??= bytes.lastIndexOf(0x0a) + 1;
    const text = bytes.subarray(0, this.#good).toString('utf8');
    return text === '' ? [] : text.slice(0, -1).split('\n');
  }

  async append(line: string): Promise<void> {
    const file = await this.#opened();
    const bytes = Buffer.from(`${line}\n`);
    const good = this.#good ?? 0;
    await file.truncate(good);
    const { bytesWritten } = await file.write(bytes, 0, bytes.length, good);
    if (bytesWritten !== bytes.length) throw new Error(`${this.path}: only ${bytesWritten} of ${bytes.length} bytes were written`);
    await file.sync();
    this.#good = good + bytes.length;
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

// `readFile` of a handle goes on where the last one ended.
async function readWhole(file: FileHandle): Promise<Buffer> {
  const bytes = Buffer.alloc((await file.stat()).size);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    length += bytesRead;
    if (bytesRead === 0 || length === bytes.length) return bytes.subarray(0, length);
  }
}

// A file whose directory entry is lost in a power cut is a journal that says nothing ever ran.
async function createDurably(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx+', 0o600);
  const directory = await open(dirname(path), 'r');
  await directory.sync().finally(() => directory.close());
  return file;
}
