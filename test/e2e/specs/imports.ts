import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { idOf, instance, instanceAddress, lease, leaseAddress } from '../../harness/configuration';
import { asking } from '../../harness/plane-eyes';
import type { Project } from '../../harness/project';
import type { PlaneSuite, TestTenant } from '../../harness/terraform-suite';

const importing = (to: string, id: string): string => `import {\n  to = ${to}\n  id = ${JSON.stringify(id)}\n}\n`;

/** With four Macs, for two tenants. */
export function imports(suite: () => PlaneSuite): void {
  let tenant: TestTenant;
  let project: Project;
  const program = [lease('ci', { minimum_duration: '25h' }), instance('vm', idOf('ci'), { running: false })];
  const id = (name: string): string => `${tenant.namespace}/${name}`;

  beforeAll(async () => {
    tenant = suite().tenant();
    await suite().project(tenant, 'origin').configure(...program).applied();
    project = suite().project(tenant, 'taker').configure(...program);
  });

  it('come into a state by `import`, and the plan is empty', async () => {
    expect((await project.workspace.run('import', leaseAddress('ci'), id('ci'))).code).toBe(0);
    expect((await project.workspace.run('import', instanceAddress('vm'), id('vm'))).code).toBe(0);
    expect((await project.plan('-detailed-exitcode')).code).toBe(0);
  });

  it('come into a state by `import` blocks in one apply that writes nothing, and the plan is empty', async () => {
    const other = suite().project(tenant, 'blocks').configure(...program, importing(leaseAddress('ci'), id('ci')), importing(instanceAddress('vm'), id('vm')));
    const { result: run, writes } = await asking(suite(), tenant.namespace, () => other.applied());
    expect(writes).toEqual([]);
    expect(run.events.find(({ changes }) => changes?.operation === 'apply')?.changes).toMatchObject({ add: 0, change: 0, remove: 0, import: 2 });
    expect((await other.plan('-detailed-exitcode')).code).toBe(0);
  });

  it('are refused a destroy before the floor, also when it was imported', async () => {
    const run = await project.plan('-destroy');
    expect(project.errors(run).map(({ reason }) => reason)).toEqual(['EarlyRelease']);
  });

  it.each([
    ['ci', '"ci" is no id of a lease. The id of a lease is "namespace/name"'],
    ['NAMESPACE/none', 'has no lease of the name none'],
    ['elsewhere/ci', 'Forbidden'],
  ])('are not found by the id %s, and the message says what is wrong', async (wrong, words) => {
    const lost = suite().project(tenant, 'lost').configure(...program, importing(leaseAddress('ci'), wrong.replace('NAMESPACE', tenant.namespace)));
    const run = await lost.plan();
    expect(run.code).toBe(1);
    const [error] = lost.errors(run);
    expect(`${error?.reason}: ${error?.summary}. ${error?.detail}`).toContain(words);
  });

  it('of a state that a later version wrote are an error of the engine, and the state stays', async () => {
    const later = suite().project(tenant, 'later').configure(...program);
    const written = JSON.parse(readFileSync(join(project.workspace.dir, 'terraform.tfstate'), 'utf8')) as { resources: { instances: { schema_version: number }[] }[] };
    for (const { instances } of written.resources) for (const one of instances) one.schema_version = 7;
    const path = join(later.workspace.dir, 'terraform.tfstate');
    writeFileSync(path, JSON.stringify(written));
    const before = readFileSync(path, 'utf8');
    expect((await later.plan()).code).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe(before);
  });
}
