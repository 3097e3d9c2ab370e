import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { idOf, IMAGE, instance, lease, leaseAddress, raw } from '../harness/configuration';
import { asking } from '../harness/plane-eyes';
import type { Project } from '../harness/project';
import { saying } from '../harness/saying';
import { describeTerraform, macs, type TestTenant } from '../harness/terraform-suite';
import { badInput } from './specs/bad-input';

describeTerraform('bad input', { macs: macs(1), tenants: 3 }, (suite) => {
  badInput(suite);

  let tenant: TestTenant;
  let project: Project;
  beforeAll(() => {
    tenant = suite().tenant();
    project = suite().project(tenant, 'more');
  });

  it('a size beyond the class is refused at its line, for a lease that does not exist yet', async () => {
    project.configure(lease('ok'), instance('huge', idOf('ok'), { shape: raw('{ cpu = 9, memory = "4Gi", disk = "40Gi" }') }));
    const run = await project.plan();
    expect(project.errors(run)).toEqual([expect.objectContaining({ reason: 'ShapeTooLarge', at: 'shape = { cpu = 9, memory = "4Gi", disk = "40Gi" }' })]);
    expect(project.errors(run)[0]?.detail).toMatch(/9 cores of cpu together, and a chassis of class base has 8 cores.*Ask for less, or lease a larger class/s);
  });

  it('`cpu = "1000m"` is no number, in the words of the engine', async () => {
    const run = await project.configure(lease('ok'), instance('milli', idOf('ok'), { shape: raw('{ cpu = "1000m", memory = "4Gi", disk = "40Gi" }') })).plan();
    expect(project.errors(run)).toEqual([expect.objectContaining({ summary: 'Incorrect attribute value type', at: 'shape = { cpu = "1000m", memory = "4Gi", disk = "40Gi" }' })]);
  });

  it('a kubeconfig that is missing is an error at `config_path`, with what else to set', async () => {
    const lost = suite().project(tenant, 'lost', '/nowhere/kubeconfig').configure(lease('ok'));
    const run = await lost.plan();
    expect(lost.errors(run)).toEqual([expect.objectContaining({ reason: 'NotConnected', at: 'config_path = "/nowhere/kubeconfig"' })]);
    expect(lost.errors(run)[0]?.detail).toMatch(/kubeconfig \/nowhere\/kubeconfig does not exist.*Set config_path .*or host with token/s);
  });

  it('a kubeconfig that is none is an error that quotes nothing of it', async () => {
    const path = join(suite().directory, 'broken.kubeconfig');
    writeFileSync(path, 'users: [ {token: s3cr3t\n');
    const broken = suite().project(tenant, 'broken', path).configure(lease('ok'));
    const run = await broken.plan();
    expect(broken.errors(run)).toEqual([expect.objectContaining({ reason: 'NotConnected', at: `config_path = "${path}"`, detail: saying('is not YAML: see line 2') })]);
    expect(run.stdout).not.toContain('s3cr3t');
  });

  it('a namespace that is missing is refused at plan, with the command that makes it', async () => {
    const admin = suite().project(tenant, 'admin', suite().development.kubeconfigs['macrack-admin']);
    admin.configure(lease('ok', { namespace: 'nowhere' }), instance('vm', idOf('ok'), { image: IMAGE }));
    const { result: run, writes } = await asking(suite(), 'macrack-admin', () => admin.plan());
    expect(admin.errors(run)).toEqual([expect.objectContaining({ reason: 'NamespaceNotFound', at: 'namespace = "nowhere"', detail: saying('kubectl create namespace nowhere') })]);
    expect(writes).toEqual([]);
  });

  it('a namespace in which the user has no rights cannot be checked at plan, and fails in the apply', async () => {
    const outside = suite().project(tenant, 'outside').configure(lease('ok', { namespace: 'nowhere' }));
    const run = await outside.apply();
    expect(outside.warnings(run).filter(({ reason }) => reason === 'NotChecked')).not.toEqual([]);
    expect(outside.errors(run)).toEqual([expect.objectContaining({ reason: 'Forbidden', address: leaseAddress('ok'), detail: saying('Ask the administrator for the role macrack-tenant-editor') })]);
  });
});
