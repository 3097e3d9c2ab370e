import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryFindEngine } from '../../cli/terraform/engine';
import { macrack } from './command';

const engine = tryFindEngine();
const directory = mkdtempSync(join(tmpdir(), 'macrack-provider-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const CONFIGURATION = `terraform {
  required_providers { macrack = { source = "macrack/macrack" } }
}
resource "macrack_mac_node_lease" "ci" {
  class = "base"
  name  = "ci"
}
`;

// Only a real engine can tell whether it finds the provider; with CI=true its absence is a failure.
(engine === undefined && process.env.CI !== 'true' ? describe.skip : describe)('the provider without a registry (needs terraform or tofu)', () => {
  it('is what the engine uses once the printed line was read by a shell, and no plane is needed', async () => {
    const { code, stdout } = await macrack('provider', join(directory, "it's here")).ended;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^export TF_CLI_CONFIG_FILE=.*\n$/)]);
    const validate = (configuration: string) => {
      writeFileSync(join(directory, 'main.tf'), configuration);
      const run = spawnSync('/bin/sh', ['-c', `${stdout} exec ${engine?.command ?? 'terraform'} validate -json`], { cwd: directory, encoding: 'utf8' });
      return JSON.parse(run.stdout) as { valid: boolean; diagnostics: { summary: string }[] };
    };
    expect(validate(CONFIGURATION)).toMatchObject({ valid: true });
    expect(validate(CONFIGURATION.replace('"ci"\n', '"No Name"\n'))).toMatchObject({ valid: false, diagnostics: expect.arrayContaining([expect.objectContaining({ summary: expect.stringContaining('InvalidValue') as string })]) as unknown });
  });
});
