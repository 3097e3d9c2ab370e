import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const LOADER = join(__dirname, 'fixture', 'typescript.cjs');
const MAIN = join(__dirname, 'main.ts');

function start(...program: string[]) {
  return spawnSync(process.execPath, ['-r', LOADER, ...program], { encoding: 'utf8' });
}

describe('the program', () => {
  it('says what it is when a person starts it', () => {
    const { status, stdout, stderr } = start(MAIN);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^This is the MacRack provider/);
  });

  it('tells an old Node what is needed, before it loads anything else', () => {
    const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });";
    const countLoaded = `process.on('exit', () => console.log(Object.keys(require.cache).filter((file) => file.endsWith('.ts')).length));`;
    const { status, stdout, stderr } = start('-e', `${old} ${countLoaded} require(${JSON.stringify(MAIN)});`);
    expect(status).toBe(1);
    expect(stderr).toBe('terraform-provider-macrack needs Node 22.19 or later and was started with Node 20.20.2.\n');
    expect(stdout.trim()).toBe('2');
  });
});
