import { Kinds } from '../../sdk/api';
import { until } from '../../sdk/client/until';
import { ADMIN } from '../../realplane/identities';
import { WAITING } from './attacks/pods';
import * as paths from './paths';
import { readEverything } from './reading';
import type { Request } from './request';
import type { Scene } from './scene';
import type { Site } from './site';

/** Everything that names or marks a tenant, its lease, its Mac and its machines. */
async function marksOf({ admin }: Scene, { tenant, leaseUID, claimUID, namespaceUID, nodeUID }: Site): Promise<string[]> {
  const { items } = await admin.list(Kinds.MacOSInstance, { namespace: tenant });
  const pods = await admin.list(Kinds.Pod, { namespace: tenant });
  const machines = items.flatMap(({ metadata, status }) => [metadata.uid, status?.machineID, status?.mac]);
  // Names of leases, instances, pods, the Mac and its node all have the tenant's in them.
  return [tenant, leaseUID, claimUID, namespaceUID, nodeUID, ...machines, ...pods.items.map(({ metadata }) => metadata.uid)].filter((mark) => mark !== undefined);
}

/** Why the tenant's own pod waits, as kube-scheduler tells it. */
function waitingEvent({ admin }: Scene, { tenant }: Site): Promise<string> {
  return until('the waiting pod is told why', async () => {
    const { status } = await admin.get(Kinds.Pod, { namespace: tenant, name: WAITING });
    return status?.conditions?.find(({ reason }) => reason === 'Unschedulable')?.message;
  });
}

/** The right to read whatever is in its namespace: more than any customer has. */
function allOfItsOwn(namespace: string): Request[] {
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'reads-all', namespace } };
  const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  return [
    { path: `${path}/roles`, body: { ...rbac, kind: 'Role', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] }] } },
    { path: `${path}/rolebindings`, body: { ...rbac, kind: 'RoleBinding', roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reads-all' }, subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: namespace }] } },
  ];
}

/** What one tenant may know of another: nothing. */
export function tenancy(current: () => Scene): void {
  it('a tenant who may read all of its own namespace finds no trace of another, wherever it looks', async () => {
    const scene = current();
    const { full, other } = scene.sites;
    for (const request of allOfItsOwn(other.tenant)) await scene.pass(ADMIN, request);
    await until('the right is in force', async () => (await scene.send(other.tenant, { path: paths.pod(other.tenant) })).code === 200 || undefined);
    await waitingEvent(scene, other);
    const answers = await readEverything(scene, other.tenant, other.tenant, ['kube-system', 'macrack-system']);
    const marks = await marksOf(scene, full);
    const traces = answers.flatMap(({ path, text }) => marks.filter((mark) => text.includes(mark)).map((mark) => `${mark} in ${path}`));
    expect(traces).toEqual([]);
    // Otherwise it may have read nothing at all.
    const readable = answers.filter(({ code }) => code === 200).map(({ path }) => path);
    expect(readable).toEqual(expect.arrayContaining([paths.lease(other.tenant), paths.instance(other.tenant), paths.pod(other.tenant), paths.inNamespace(other.tenant, 'events'), paths.ours('macclasses'), '/openapi/v3']));
    expect(answers.filter(({ path, code }) => path.startsWith('/metrics') && code !== 403)).toEqual([]);
  });

  it('kube-scheduler 1.37 tells a tenant of an untolerated taint and not whose', async () => {
    const scene = current();
    const told = await waitingEvent(scene, scene.sites.other);
    expect(told).toMatch(/^0\/\d+ nodes are available: \d+ node\(s\) had untolerated taint\(s\)/);
  });
}
