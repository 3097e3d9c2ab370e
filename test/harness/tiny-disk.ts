import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIZE = '64k';

/** A file system of 64 KiB that can be full. */
export class TinyDisk {
  private constructor(readonly directory: string) {}

  /** Undefined where this user may not mount one. */
  static tryMount(): TinyDisk | undefined {
    const directory = mkdtempSync(join(tmpdir(), 'macrack-tiny-'));
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', directory], { stdio: 'ignore' }).status === 0) return new TinyDisk(directory);
    rmdirSync(directory);
    return undefined;
  }

  /** Whether this user may mount one. */
  static isPossible(): boolean {
    const probe = TinyDisk.tryMount();
    probe?.unmount();
    return probe !== undefined;
  }

  /** Takes every byte that is left. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.directory);
    writeFileSync(this.#ballast, Buffer.alloc(bavail * bsize));
  }

  clear(): void {
    rmSync(this.#ballast, { force: true });
  }

  /** Also while a file on it is still open. */
  unmount(): void {
    spawnSync('umount', ['--lazy', this.directory], { stdio: 'ignore' });
    rmdirSync(this.directory);
  }

  get #ballast(): string {
    return join(this.directory, 'ballast');
  }
}
