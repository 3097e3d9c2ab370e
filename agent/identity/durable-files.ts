import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Small secret files. Each write happens whole or not at all, also when the process or the Mac ends in the middle. */
export interface DurableFiles {
  /** Undefined for a file that does not exist. */
  read(path: string): Promise<string | undefined>;
  /** Resolves when the text would survive a power cut. Mode 0600; its directory is made with mode 0700. */
  write(path: string, text: string): Promise<void>;
  /** Nothing to remove is success. */
  remove(path: string): Promise<void>;
}

export const durableFiles: DurableFiles = {
  read: (path) => readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }),
  async write(path, text) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const aside = `${path}.new`;
    // One that a crash left behind may have another mode.
    await rm(aside, { force: true });
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
    await syncDirectory(dirname(path));
  },
  async remove(path) {
    await rm(path, { force: true });
    await syncDirectory(dirname(path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  },
};

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}
