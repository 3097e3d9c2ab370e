import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const builder = resolve(__dirname, '../../toolchain/go-build.cjs');
const go = spawnSync('go', ['env', 'GOCACHE'], { encoding: 'utf8' });
const hasGo = go.status === 0;
// Go's own cache hangs on the same variable as ours; without it each test would compile the standard library.
const GOCACHE = hasGo ? go.stdout.trim() : '';

interface Run { readonly code: number; readonly out: string; readonly err: string }

/** A module of one command, and a cache of its own. */
class Bench {
  readonly directory = mkdtempSync(join(tmpdir(), 'macrack-go-build-'));
  readonly folder = join(this.directory, 'tool');

  constructor(main = 'package main\n\nfunc main() {}\n') {
    mkdirSync(join(this.folder, 'hello'), { recursive: true });
    writeFileSync(join(this.folder, 'go.mod'), 'module example.test/tool\n\ngo 1.21\n\n// example.test/release v1.2.3\n');
    this.write(main);
  }

  write(main: string): void {
    writeFileSync(join(this.folder, 'hello', 'main.go'), main);
  }

  /** In a process of its own, as each builder is. */
  build(env: Record<string, string> = {}): Promise<Run> {
    const script = `const { build, BuildFault } = require(${JSON.stringify(builder)});
      const set = { name: 'tool', folder: ${JSON.stringify(this.folder)}, module: 'example.test/release', commands: ['hello'], ldflags: (version) => '-X main.version=' + version };
      try { console.log(build(set).hello); } catch (error) { if (!(error instanceof BuildFault)) throw error; console.error(error.message); process.exitCode = 1; }`;
    return new Promise((done) => {
      const child = execFile(process.execPath, ['-e', script], { env: { ...process.env, XDG_CACHE_HOME: this.cache, GOCACHE, ...env } }, (_, out, err) => done({ code: child.exitCode ?? -1, out: out.trim(), err: err.trim() }));
    });
  }

  get cache(): string {
    return join(this.directory, 'cache');
  }

  get toolchain(): string {
    return join(this.cache, 'macrack', 'toolchain');
  }

  end(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}

(hasGo || process.env.CI === 'true' ? describe : describe.skip)('a binary from Go modules (skipped without Go)', () => {
  let bench: Bench;
  afterEach(() => bench.end());

  it('is built into the cache under its versions, once', async () => {
    bench = new Bench();
    const first = await bench.build();
    expect(first).toMatchObject({ code: 0, err: expect.stringMatching(/^macrack: building hello v1\.2\.3 from Go modules/) as unknown });
    expect(first.out).toMatch(/\/macrack\/toolchain\/tool-v1\.2\.3-go1\.[^/]+-[0-9a-f]{12}\/hello(\.exe)?$/);
    expect(await bench.build()).toEqual({ code: 0, out: first.out, err: '' });
    expect(readdirSync(bench.toolchain)).toHaveLength(1);
  });

  it('is another one when its source changes', async () => {
    bench = new Bench();
    const { out } = await bench.build();
    bench.write('package main\n\nfunc main() { println("other") }\n');
    expect((await bench.build()).out).not.toBe(out);
  });

  it('is built by one of two builders that start at once', async () => {
    bench = new Bench();
    const both = await Promise.all([bench.build(), bench.build()]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both[0].out).toBe(both[1].out);
    expect(both.filter(({ err }) => err.includes('building'))).toHaveLength(1);
  });

  it('is built past the lock of a builder that is gone', async () => {
    bench = new Bench();
    const { out } = await bench.build();
    rmSync(out);
    const gone = spawnSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }).stdout.trim();
    const [directory = ''] = readdirSync(bench.toolchain);
    writeFileSync(join(bench.toolchain, `${directory}.lock`), gone);
    expect(await bench.build()).toMatchObject({ code: 0, out });
    expect(readdirSync(bench.toolchain)).toEqual([directory]);
  });

  it('that does not compile is one sentence, and leaves nothing behind', async () => {
    bench = new Bench('package main\n\nfunc main() { nonsense }\n');
    const { code, err } = await bench.build();
    expect(code).toBe(1);
    expect(err.split('\n').at(-1)).toMatch(/^go build in .* ended with 1: .*undefined: nonsense/);
    const [directory = ''] = readdirSync(bench.toolchain);
    expect(readdirSync(join(bench.toolchain, directory))).toEqual([]);
  });

  it('without Go is one sentence', async () => {
    bench = new Bench();
    expect(await bench.build({ PATH: '/nowhere' })).toEqual({ code: 1, out: '', err: 'Go is not on PATH' });
    expect(existsSync(bench.cache)).toBe(false);
  });
});
