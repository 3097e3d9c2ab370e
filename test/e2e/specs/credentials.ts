import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { block, lease } from '../../harness/configuration';
import { Project } from '../../harness/project';
import type { PlaneSuite, TestTenant } from '../../harness/terraform-suite';

const HEAD = 'terraform {\n  required_providers {\n    macrack = { source = "macrack/macrack" }\n  }\n}\n';

interface Kubeconfig {
  readonly clusters: readonly { cluster: { server: string; 'certificate-authority-data': string } }[];
  readonly users: readonly { user: { token: string } }[];
}

/** Ways to say which plane, and who asks. */
export function credentials(suite: () => PlaneSuite): void {
  let tenant: TestTenant;
  let access: { readonly host: string; readonly ca: string; readonly token: string };

  beforeAll(() => {
    tenant = suite().tenant();
    const { clusters: [entry], users: [owner] } = parse(readFileSync(tenant.kubeconfig, 'utf8')) as Kubeconfig;
    access = { host: entry?.cluster.server ?? '', ca: Buffer.from(entry?.cluster['certificate-authority-data'] ?? '', 'base64').toString(), token: owner?.user.token ?? '' };
  });

  /** What a data source sees with that configuration of the provider. */
  const seenWith = async (name: string, provider: string, env: Readonly<Record<string, string>> = {}) => {
    const project = new Project(suite().workspace(join(tenant.namespace, name), { HOME: '/nowhere', ...env }), '');
    project.workspace.write(`${HEAD}provider "macrack" {\n${provider}}\n${block('data "macrack_mac_node_leases"', 'all', { namespace: tenant.namespace })}`);
    const run = await project.apply();
    return { code: run.code, errors: project.errors(run), seen: Array.isArray(project.state()['data.macrack_mac_node_leases.all']?.attributes['leases']), said: `${run.stdout}${run.stderr}` };
  };
  const line = (name: string, value: string | readonly string[]) => `  ${name} = ${JSON.stringify(value)}\n`;
  const reached = { code: 0, errors: [], seen: true };

  it('are arguments: host, authorities and token', async () => {
    expect(await seenWith('arguments', line('host', access.host) + line('cluster_ca_certificate', access.ca) + line('token', access.token))).toMatchObject(reached);
  });

  it('are variables, as for the Kubernetes provider', async () => {
    expect(await seenWith('variables', '', { KUBE_HOST: access.host, KUBE_CLUSTER_CA_CERT_DATA: access.ca, KUBE_TOKEN: access.token })).toMatchObject(reached);
    expect(await seenWith('variable-path', '', { KUBE_CONFIG_PATH: tenant.kubeconfig })).toMatchObject(reached);
    expect(await seenWith('variable-paths', '', { KUBE_CONFIG_PATHS: `${tenant.kubeconfig}:${tenant.viewerKubeconfig}` })).toMatchObject(reached);
  });

  it('are several kubeconfigs', async () => {
    expect(await seenWith('paths', line('config_paths', [tenant.viewerKubeconfig, tenant.kubeconfig]))).toMatchObject(reached);
    const lost = await seenWith('lost', line('config_paths', ['/nowhere/config', tenant.kubeconfig]));
    expect(lost.errors).toEqual([expect.objectContaining({ reason: 'NotConnected', at: `config_paths = ["/nowhere/config",${JSON.stringify(tenant.kubeconfig)}]` })]);
  });

  it('are printed by a program, in a block `exec`, and no output has them', async () => {
    const program = 'console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status: { token: process.env.TOKEN } }))';
    const exec = (api: string, command: string) => `  exec {\n    api_version = "${api}"\n    command = ${JSON.stringify(command)}\n    args = ["-e", ${JSON.stringify(program)}]\n    env = { TOKEN = ${JSON.stringify(access.token)} }\n  }\n`;
    const place = line('host', access.host) + line('cluster_ca_certificate', access.ca);
    const run = await seenWith('exec', place + exec('client.authentication.k8s.io/v1', process.execPath));
    expect(run).toMatchObject(reached);
    expect(run.said).not.toContain(access.token);
    const wrong = await seenWith('exec-version', place + exec('v1', process.execPath));
    expect(wrong.errors).toEqual([expect.objectContaining({ reason: 'NotConnected' })]);
    expect(wrong.errors[0]?.detail).toContain('exec: api_version is "v1"; it is one of client.authentication.k8s.io/v1');
    const two = await seenWith('exec-and-token', place + line('token', access.token) + exec('client.authentication.k8s.io/v1', process.execPath));
    expect(two.errors[0]?.detail).toContain('exec and token or client_certificate are two identities');
  });

  it('serve a plan that forecasts capacity by class, in one warning', async () => {
    const project = suite().project(tenant, 'forecast').configure(lease('a'), lease('b'), lease('c', { class: 'pro' }));
    const told = project.warnings(await project.plan()).filter(({ reason }) => reason === 'NewLeases');
    expect(told).toEqual([expect.objectContaining({ summary: 'NewLeases: 3 new leases, at least 24h each, cannot be undone' })]);
    expect(told[0]?.detail).toMatch(/Wanted: 2 of class base \(2 free now\); 1 of class pro \(1 free now\)\.$/);
  });
}
