import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { worked } from '../../cli/pulumi/workspace';
import { phasesOfInstances } from '../harness/plane-eyes';
import { actions } from '../harness/pulumi/pulumi-project';
import { describePulumi } from '../harness/pulumi/pulumi-suite';
import { documented, firstBlock } from './documented';

const ofTheReadme = firstBlock('README.md', 'ts');

describePulumi('the programs in the documents', {}, (suite) => {
  it('the one of the README has twelve lines, is that of docs/pulumi.md, and previews as it stands', async () => {
    expect([ofTheReadme.trimEnd().split('\n').length, documented('docs/pulumi.md', 'program')]).toEqual([12, ofTheReadme]);
    const run = worked(await suite().project(suite().tenant()).files({ 'index.ts': ofTheReadme }).preview());
    expect(actions(run)).toEqual({ ci: 'create', 'vm-1': 'create', 'vm-2': 'create' });
  });

  it('the one of the Automation API previews, then updates; with a third machine it ends in the preview', async () => {
    const tenant = suite().tenant();
    const program = documented('docs/pulumi.md', 'automation.ts');
    const { workspace } = suite().project(tenant, 'automated').files({ 'automation.ts': program, 'third.ts': program.replace('[runner, runner]', '[runner, runner, runner] as never') });
    const node = (file: string) => promisify(execFile)('node', [file], { cwd: workspace.dir, env: { ...workspace.env, KUBECONFIG: tenant.kubeconfig } });
    await expect(node('third.ts')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('ThirdInstance: lease (default namespace)/ci takes two instances') as string });
    expect(await phasesOfInstances(suite(), tenant)).toEqual({});
    expect((await node('automation.ts')).stdout).toContain(`${tenant.namespace}/ci`);
    expect(await phasesOfInstances(suite(), tenant)).toEqual({ 'ci-vm-0': 'Running', 'ci-vm-1': 'Running' });
  });
});
