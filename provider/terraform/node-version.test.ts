import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NEEDED_NODE, unfitNode } from './node-version';

describe('the version of Node', () => {
  it('that is needed is the one that the package names', () => {
    const { engines } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${NEEDED_NODE}`);
  });

  it.each(['22.19.0', '22.20.1', '23.0.0', '100.0.0'])('%s is enough', (version) => {
    expect(unfitNode(version, '22.19')).toBeUndefined();
  });

  it.each(['22.18.9', '20.20.2', '9.0.0', 'unheard-of'])('%s is not, and one sentence says what is needed', (version) => {
    expect(unfitNode(version, '22.19')).toBe(`terraform-provider-macrack needs Node 22.19 or later and was started with Node ${version}.`);
  });
});
