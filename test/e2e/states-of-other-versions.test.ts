import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { idOf, instance, instanceAddress, lease, leaseAddress } from '../harness/configuration';
import { claimsOf, instancesOnPlane } from '../harness/plane-eyes';
import { actions, type Project } from '../harness/project';
import { saying } from '../harness/saying';
import { describeTerraform, macs, type TestTenant } from '../harness/terraform-suite';

interface StoredState {
  serial: number;
  readonly resources: readonly { readonly instances: readonly { schema_version: number; attributes: Record<string, unknown> }[] }[];
}

const stateFile = ({ workspace }: Project): string => join(workspace.dir, 'terraform.tfstate');

/** Makes the state what another version of the provider would have left. */
function rewrite(project: Project, change: (object: StoredState['resources'][number]['instances'][number]) => void): string {
  const state = JSON.parse(readFileSync(stateFile(project), 'utf8')) as StoredState;
  for (const { instances } of state.resources) instances.forEach(change);
  state.serial += 1;
  writeFileSync(stateFile(project), JSON.stringify(state));
  return readFileSync(stateFile(project), 'utf8');
}

describeTerraform('a state that another version of the provider wrote', { macs: macs(1), tenants: 1 }, (suite) => {
  let tenant: TestTenant;
  let project: Project;
  beforeAll(async () => {
    tenant = suite().tenant();
    project = suite().project(tenant).configure(lease('ci'), instance('vm', idOf('ci')));
    await project.applied();
  });

  it('without attributes that came later plans empty, and has them again after the next apply', async () => {
    const before = project.state();
    rewrite(project, ({ attributes }) => ['slots', 'held_since', 'last_seen', 'await_ip', 'ip'].forEach((name) => { delete attributes[name]; }));
    const run = await project.plan('-detailed-exitcode');
    expect({ code: run.code, errors: project.errors(run), planned: actions(run) }).toEqual({ code: 0, errors: [], planned: {} });
    await project.applied();
    for (const address of [leaseAddress('ci'), instanceAddress('vm')]) expect(Object.keys(project.state()[address]?.attributes ?? {}).sort()).toEqual(Object.keys(before[address]?.attributes ?? {}).sort());
    expect((await project.plan('-detailed-exitcode')).code).toBe(0);
  });

  it('with attributes that are gone since plans empty', async () => {
    rewrite(project, ({ attributes }) => { attributes['rack_unit'] = 7; });
    const run = await project.plan('-detailed-exitcode');
    expect({ code: run.code, errors: project.errors(run) }).toEqual({ code: 0, errors: [] });
  });

  it('with a later version of the schema is refused, and nothing is changed, neither it nor the plane', async () => {
    const later = rewrite(project, (object) => { object.schema_version = 99; });
    const before = [await claimsOf(suite(), tenant), Object.keys(await instancesOnPlane(suite(), tenant))];
    for (const run of [await project.plan(), await project.apply(), await project.destroy()]) {
      expect(run.code).toBe(1);
      expect(project.errors(run)).toContainEqual(expect.objectContaining({ summary: saying('newer provider version') }));
    }
    expect(readFileSync(stateFile(project), 'utf8')).toBe(later);
    expect([await claimsOf(suite(), tenant), Object.keys(await instancesOnPlane(suite(), tenant))]).toEqual(before);
  });
});
