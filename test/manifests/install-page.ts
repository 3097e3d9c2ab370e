import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '..', '..');
const LAST_WORDS = 2000;
const macrack = join(root, 'dist', 'cli', 'main.js');

/** A block of commands of docs/install.md, with the note above it that only its source shows. */
export interface Block {
  readonly section: string;
  readonly text: string;
  /** `values` of a site, `elsewhere`, `after` something that a test brings about, `managed` for clusters without hosts. */
  readonly note?: { readonly kind: string; readonly text: string };
}

/** Every block of commands, in the order of the page. */
export function blocksOfPage(): Block[] {
  const blocks: Block[] = [];
  let section = '';
  let note: Block['note'];
  let lines: string[] | undefined;
  for (const line of readFileSync(join(root, 'docs', 'install.md'), 'utf8').split('\n')) {
    if (lines !== undefined && line === '```') {
      blocks.push({ section, text: lines.join('\n'), ...(note !== undefined && { note }) });
      [lines, note] = [undefined, undefined];
    } else if (lines !== undefined) lines.push(line);
    else if (line === '```sh') lines = [];
    else if (line.startsWith('## ')) section = line.slice(3);
    else {
      const found = /^<!-- (\w+)(?:: (.*))? -->$/.exec(line);
      if (found !== null) note = { kind: found[1] ?? '', text: found[2] ?? '' };
    }
  }
  return blocks;
}

/** The shell of one who follows the page: one directory, and variables that stay from block to block. */
export class PageShell {
  readonly #state: string;
  readonly #path: string;

  /** @param values of the site, in place of those of the page */
  constructor(readonly directory: string, kubectl: string, private readonly values: Readonly<Record<string, string>>) {
    const bin = join(directory, '.bin');
    mkdirSync(bin, { recursive: true });
    this.#state = join(bin, 'variables');
    this.#path = `${bin}:${process.env.PATH ?? ''}`;
    writeFileSync(this.#state, '');
    const program = (name: string, text: string): void => {
      writeFileSync(join(bin, name), `#!/bin/sh\nexec ${text} "$@"\n`);
      chmodSync(join(bin, name), 0o755);
    };
    program('macrack', `'${process.execPath}' '${macrack}'`);
    program('kubectl', `'${kubectl}'`);
    program('sudo', 'env');
  }

  set(name: string, value: string): void {
    writeFileSync(this.#state, `${readFileSync(this.#state, 'utf8')}\nexport ${name}='${value}'\n`);
  }

  /** Runs commands as they stand; those that set a value of the site set that of this one. @throws Error with what they say when one fails */
  run(text: string, seconds = 280): Promise<string> {
    const bound = Object.entries(this.values).reduce((script, [name, value]) => script.replace(new RegExp(`^export ${name}=.*$`, 'm'), `export ${name}='${value}'`), text);
    const script = `. '${this.#state}'\nset -eu\n${bound}\nexport -p > '${this.#state}'\n`;
    return new Promise((done, fail) => {
      execFile('bash', ['-c', script], { cwd: this.directory, env: { ...process.env, PATH: this.#path, HOME: this.directory }, timeout: seconds * 1000 }, (error, out, err) => {
        if (error === null) done(out);
        else fail(new Error(`${text}\nended with ${error.killed === true ? `no end in ${seconds} s` : String(error.code)}:\n${`${out}${err}`.slice(-LAST_WORDS)}`));
      });
    });
  }
}
