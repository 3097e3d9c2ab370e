import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { BOOTSTRAP_NAME } from './bootstrap-kubeconfig';

// What an earlier enrolment wrote is replaced; nothing else is, the administrator's own kubeconfig least of all.
function refuseForeign(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const isOurs = found.isFile() && readFileSync(path, 'utf8').includes(`current-context: ${BOOTSTRAP_NAME}\n`);
  if (!isOurs) throw new Error(`--out ${path} is there already, and no file of an earlier enrolment: choose another file, or move it away`);
}

/** A secret file for its owner's eyes only (mode 0600). That it can be written is known before there is a secret. */
export class OwnFile {
  readonly #aside: string;

  private constructor(private readonly path: string, private readonly descriptor: number) {
    this.#aside = asideOf(path);
  }

  /** @throws Error that names the file, where it cannot be written or holds what is not ours */
  static prepare(path: string): OwnFile {
    refuseForeign(path);
    try {
      rmSync(asideOf(path), { force: true });
      return new OwnFile(path, openSync(asideOf(path), 'wx', 0o600));
    } catch (error) {
      throw new Error(`--out ${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}): nothing was changed`, { cause: error });
    }
  }

  /** Puts the text in its place, whole. */
  write(text: string): void {
    writeSync(this.descriptor, text);
    fsyncSync(this.descriptor);
    renameSync(this.#aside, this.path);
  }

  /** Leaves nothing behind but what was written. */
  discard(): void {
    closeSync(this.descriptor);
    rmSync(this.#aside, { force: true });
  }
}

const asideOf = (path: string): string => `${path}.new`;
