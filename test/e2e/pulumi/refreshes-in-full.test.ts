import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '../../../cli/pulumi/outcome';
import { worked } from '../../../cli/pulumi/workspace';
import { Kinds } from '../../../sdk/api/kinds';
import { asking, claimsOf, leaseOnPlane } from '../../harness/plane-eyes';
import { macs, type TestTenant } from '../../harness/plane-suite';
import { instance, lease } from '../../harness/pulumi/declarations';
import { actions, type PulumiProject } from '../../harness/pulumi/pulumi-project';
import { describePulumi } from '../../harness/pulumi/pulumi-suite';

describePulumi('a refresh', { macs: macs(3), tenants: 4 }, (suite) => {
  let tenant: TestTenant;
  let project: PulumiProject;
  let kubeconfig: string;
  const program = [lease('ci'), instance('vm', 'ci')];

  beforeAll(async () => {
    tenant = suite().tenant();
    kubeconfig = join(suite().directory, 'moving.kubeconfig');
    writeFileSync(kubeconfig, readFileSync(tenant.kubeconfig));
    project = suite().project(tenant, 'main', kubeconfig).program(...program);
    await project.updated();
  });
  afterEach(() => writeFileSync(kubeconfig, readFileSync(tenant.kubeconfig)));

  const reading = (run: Outcome) => new Set(project.errors(run).filter(({ reason }) => reason !== undefined).map(({ reason }) => reason));

  it('of what is there changes nothing', async () => {
    const inputs = async () => Object.fromEntries(Object.entries(await project.state()).map(([name, object]) => [name, [object.id, object.inputs, object.outputs.uid]]));
    const before = await inputs();
    worked(await project.workspace.refresh());
    expect(await inputs()).toEqual(before);
    worked(await project.preview('--refresh', '--expect-no-changes'));
  });

  it('without the right to read is an error, never "gone": the state stays', async () => {
    const before = await project.state();
    writeFileSync(kubeconfig, readFileSync(suite().tenant().kubeconfig));
    for (const act of [() => project.workspace.refresh(), () => project.preview('--refresh'), () => project.upWithoutPreview('--refresh')]) {
      const run = await act();
      expect([run.code, reading(run)]).toEqual([1, new Set(['Forbidden'])]);
    }
    expect(await project.state()).toEqual(before);
  });

  it('with a token that has expired is an error that says what to renew, and shows nothing of the token', async () => {
    const before = await project.state();
    const { plane } = suite().development;
    const user = `${tenant.namespace}-late`;
    const token = plane.addUser({ name: user, groups: [], expiresAt: 1 });
    writeFileSync(kubeconfig, plane.kubeconfig(user, { [user]: tenant.namespace }));
    const runs = [await project.workspace.refresh(), await project.preview()];
    for (const run of runs) {
      expect([run.code, reading(run)]).toEqual([1, new Set(['Unauthorized'])]);
      expect(project.errors(run).map(({ message }) => message).join()).toMatch(/have expired\. Renew the kubeconfig, token or client certificate/);
      expect(`${run.stdout}${run.stderr}`).not.toContain(token);
    }
    expect(await project.state()).toEqual(before);
  });

  describe('without a control plane', () => {
    beforeEach(() => writeFileSync(kubeconfig, readFileSync(tenant.kubeconfig, 'utf8').replaceAll(suite().development.plane.url, 'https://127.0.0.1:1')));

    it('is an error, and the state stays', async () => {
      const before = await project.state();
      const run = await project.workspace.refresh();
      expect([run.code, reading(run)]).toEqual([1, new Set(['NotChecked'])]);
      writeFileSync(kubeconfig, readFileSync(tenant.kubeconfig));
      expect(await project.state()).toEqual(before);
    });

    it('is not needed for a preview, which then rests on the state and says so', async () => {
      const run = worked(await project.program(...program, instance('vm-2', 'ci')).preview());
      expect(actions(run)).toEqual({ 'vm-2': 'create' });
      expect(project.warnings(run).filter(({ reason }) => reason === 'NotChecked').map(({ message }) => message)).toEqual([expect.stringMatching(/the control plane cannot be asked/)]);
      project.program(...program);
    });

    it('leaves a lease where it is that a program no longer has: what cannot be seen is not released', async () => {
      const run = await project.program('').preview();
      expect(run.code).toBe(1);
      expect(project.errors(run).filter(({ resource }) => resource === 'ci')).not.toEqual([]);
      project.program(...program);
    });
  });

  it('drops a lease that was released and is gone; the next preview shows that it would be leased anew', async () => {
    const own = suite().tenant();
    const other = suite().project(own).program(lease('old'));
    await other.updated();
    const { uid } = (await leaseOnPlane(suite(), own, 'old')).metadata;
    await suite().passFloor();
    await suite().admin.remove(Kinds.MacNodeLease, { namespace: own.namespace, name: 'old' });
    worked(await other.workspace.refresh());
    expect(await other.state()).toEqual({});
    const run = worked(await other.preview());
    expect(actions(run)).toEqual({ old: 'create' });
    await other.updated();
    expect((await leaseOnPlane(suite(), own, 'old')).metadata.uid).not.toBe(uid);
    expect(await claimsOf(suite(), own)).toHaveLength(1);
  });

  it('asks one list of each kind', async () => {
    const { requests } = await asking(suite(), tenant.namespace, () => project.workspace.refresh('--skip-preview'));
    expect(requests.map(({ verb, resource }) => `${verb} ${resource}`).sort()).toEqual(['macclasses', 'macnodeleases', 'macosinstances'].map((kind) => `list ${kind}.macrack.io`));
  });
});
