import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endOrphans, planeDirectory } from '../../realplane/orphans';
import { reservePorts } from '../../realplane/ports';
import { ServerProcess } from '../../realplane/processes';
import { until } from '../../sdk/client/until';

/** The id of a process that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

/** Anything that runs on and has the directory in its arguments. */
const server = (directory: string): ServerProcess => new ServerProcess('server', process.execPath, ['-e', 'setInterval(() => 0, 1000)', join(directory, 'data')], join(directory, 'server.log'));

describe('the next suite after one that was killed', () => {
  it('ends its servers and removes its directory, and leaves those of a living suite alone', async () => {
    const [abandoned, ours] = [planeDirectory(), planeDirectory()];
    const [orphan, running] = [server(abandoned), server(ours)];
    writeFileSync(join(abandoned, 'owner'), String(await deadPid()));
    endOrphans();
    await orphan.stop(10_000);
    expect([orphan.ended, existsSync(abandoned)]).toEqual(['ended by SIGKILL', false]);
    expect([running.ended, existsSync(ours)]).toEqual([undefined, true]);
    await running.stop(10_000);
    expect(running.ended).toBe('ended by SIGTERM');
    writeFileSync(join(ours, 'owner'), String(await deadPid()));
    endOrphans();
    expect(existsSync(ours)).toBe(false);
  });
});

describe('ports of two suites at once', () => {
  it('are never the same', async () => {
    const both = await Promise.all([reservePorts(20), reservePorts(20)]);
    expect(new Set(both.flatMap(({ numbers }) => numbers)).size).toBe(40);
    for (const ports of both) ports.release();
  });
});

describe('a server behind a proxy', () => {
  const proxies = { HTTP_PROXY: 'http://proxy.test:1', https_proxy: 'http://proxy.test:1', ALL_PROXY: 'http://proxy.test:1', NO_PROXY: 'nowhere.test' };
  const before = { ...process.env };
  beforeEach(() => void Object.assign(process.env, proxies));
  afterEach(() => {
    for (const name of Object.keys(proxies)) delete process.env[name];
    Object.assign(process.env, before);
  });

  it('does not hear of it: whoever it talks to is on this machine', async () => {
    const directory = planeDirectory();
    const asked = new ServerProcess('asked', process.execPath, ['-p', 'Object.keys(process.env).filter((name) => /^(https?|no|all)_proxy$/i.test(name)).join()'], join(directory, 'log'));
    await until('it has ended', () => Promise.resolve(asked.ended));
    expect([asked.ended, asked.log()]).toEqual(['ended with code 0', '\n']);
    rmSync(directory, { recursive: true });
  });
});

describe('a server that ends by itself', () => {
  it('is reported with the end of its log', async () => {
    const directory = planeDirectory();
    const failing = new ServerProcess('failing', process.execPath, ['-e', 'console.error("no such flag"); process.exit(3)'], join(directory, 'log'));
    await failing.stop(10_000);
    expect(() => failing.assertRuns()).toThrow(/^failing ended (with code 3:\nno such flag|by SIGTERM)/);
    const absent = new ServerProcess('absent', join(directory, 'nothing'), [], join(directory, 'log'));
    await absent.stop(10_000);
    expect(() => absent.assertRuns()).toThrow(/^absent could not be started/);
    writeFileSync(join(directory, 'owner'), String(await deadPid()));
    endOrphans();
  });
});
