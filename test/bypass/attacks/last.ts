import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { AuditType } from '../../../operator';
import { Kinds } from '../../../sdk/api';
import { until } from '../../../sdk/client/until';
import { reloading } from '../../../realplane/reload';
import type { Held } from '../attack';
import * as paths from '../paths';
import type { Request } from '../request';
import { alien, forceOnto, recorded } from './impersonated';
import type { Scene } from '../scene';
import type { Site } from '../site';

const ADMIN = 'macrack-admin';
const OPERATOR = 'macrack-operator';
const CONTROLLER = 'system:serviceaccount:kube-system:namespace-controller';

const phaseOf = async (scene: Scene, { tenant, lease }: Site): Promise<string | undefined> => (await scene.admin.tryGet(Kinds.MacNodeLease, { namespace: tenant, name: lease }))?.status?.phase;
const refusedWith = async (scene: Scene, user: string, request: Request, says: RegExp): Promise<void> => {
  const { code, text } = await scene.send(user, request);
  if (code < 400 || !says.test(text)) throw new Error(`${request.path} was to be refused with ${String(says)}: ${code} ${text}`);
};
const pinned = (namespace: string, { serial }: Site): Request => ({ path: paths.lease(namespace), body: { apiVersion: 'macrack.io/v1', kind: 'MacNodeLease', metadata: { namespace, name: 'grab' }, spec: { class: 'base', serial } } });

/** Takes a policy's file from the control-plane host for as long as `work` lasts. */
async function withoutFile({ policies }: Scene, policy: string, work: () => Promise<unknown>): Promise<void> {
  await policies.without(policy);
  await work().finally(() => policies.without());
}

async function collectedLeases(scene: Scene): Promise<void> {
  const site = scene.sites.renamed;
  await scene.pass(ADMIN, { method: 'DELETE', path: paths.lease(site.tenant) });
  await until('the lease is Held', async () => (await phaseOf(scene, site)) === 'Held' || undefined);
  if (scene.mac(site).running().length !== 1) throw new Error('a machine of a Held lease has ended');
}

async function collectedInstances(scene: Scene): Promise<void> {
  const { half } = scene.sites;
  await scene.pass(ADMIN, { method: 'DELETE', path: paths.instance(half.tenant) });
  await until('the instances are gone', async () => (await scene.admin.list(Kinds.MacOSInstance, { namespace: half.tenant })).items.length === 0 || undefined);
  if (scene.mac(half).running().length + scene.mac(half).bundles().length > 0) throw new Error('an instance went before its machine and its disk');
}

async function collectedMacs(scene: Scene): Promise<void> {
  const { half } = scene.sites;
  const { spec } = await scene.admin.get(Kinds.MacNode, { name: half.serial });
  const machines = scene.mac(half).running().length;
  await scene.send(ADMIN, { method: 'DELETE', path: paths.only(paths.macNode(), half.serial) });
  await refusedWith(scene, scene.sites.other.tenant, pinned(scene.sites.other.tenant, half), /SerialUnavailable/);
  await refusedWith(scene, ADMIN, { method: 'DELETE', path: paths.node(half.node) }, /is not deleted/);
  if (scene.mac(half).running().length !== machines) throw new Error('machines ended or started without an enrolment');
  if (await scene.admin.tryGet(Kinds.MacNode, { name: half.serial }) === null) await scene.admin.create(Kinds.MacNode, { metadata: { name: half.serial }, spec });
  await until('its agent reports again', async () => (await scene.admin.get(Kinds.MacNode, { name: half.serial })).status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') || undefined);
}

async function fakedRelease(scene: Scene): Promise<void> {
  const site = scene.sites.faked;
  await scene.pass(ADMIN, { method: 'PATCH', as: OPERATOR, path: `${paths.lease(site.tenant, site.lease)}/status`, body: { status: { phase: 'Released', releasedAt: '2099-01-01T00:00:00Z' } } });
  await refusedWith(scene, scene.sites.other.tenant, pinned(scene.sites.other.tenant, site), /SerialUnavailable/);
}

/** The customer's namespace is forced away and the name goes to the next customer. */
async function renamed(scene: Scene): Promise<void> {
  const site = scene.sites.renamed;
  const namespace = `/api/v1/namespaces/${site.tenant}`;
  await scene.pass(ADMIN, { method: 'DELETE', path: namespace });
  await scene.pass(ADMIN, { method: 'PUT', path: `${namespace}/finalize`, as: CONTROLLER, groups: ['system:masters'], body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: site.tenant }, spec: { finalizers: [] } } });
  await until('the namespace is gone', async () => (await scene.send(ADMIN, { path: namespace })).code === 404 || undefined);
  await scene.pass(ADMIN, { path: '/api/v1/namespaces', body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: site.tenant } } });
  const made = { apiVersion: 'macrack.io/v1', kind: 'MacOSInstance', metadata: { namespace: site.tenant, name: 'next' }, spec: { leaseName: site.lease, image: 'x', shape: { cpu: 1, memory: '1Gi', disk: '10Gi' } } };
  await refusedWith(scene, ADMIN, { path: paths.instance(site.tenant), body: made }, /CrossTenant|LeaseNotBound/);
  await refusedWith(scene, ADMIN, pinned(site.tenant, site), /SerialUnavailable/);
  const slot = { 'macrack.io/macos-vm': '1' };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: `${site.lease}-vm-1`, namespace: site.tenant }, spec: { nodeSelector: { 'node-restriction.kubernetes.io/macrack-serial': site.serial }, containers: [{ name: 'vm', image: 'x', resources: { limits: slot, requests: slot } }] } };
  await refusedWith(scene, ADMIN, { path: paths.pod(site.tenant), body: pod, as: OPERATOR }, /CrossTenant/);
  await forcedPast(scene, site);
}

/** A pod of the next customer that says it is for another Mac, under the former customer's claim, bound to the Mac as the scheduler. */
async function forcedPast(scene: Scene, site: Site): Promise<void> {
  await forceOnto(scene, alien({ ...site, serial: 'nomac' }, site), site.node);
  await recorded(scene, AuditType.CrossTenantRejected, site);
}

/** Everything that refuses an early deletion is taken away on the host; the last stop is left. */
async function stuck(scene: Scene): Promise<void> {
  const site = scene.sites.stuck;
  const { admission } = scene.world.plane;
  const webhook = join(admission.folder('ValidatingAdmissionWebhook'), 'macrack.yaml');
  await withoutFile(scene, 'p8a-admission-objects', () => scene.pass(ADMIN, { method: 'DELETE', path: paths.admission('validatingadmissionpolicybindings', 'release-floor.macrack.io') }));
  await reloading(scene.world.plane.servers.get('kube-apiserver'), ['ValidatingAdmissionWebhook'], () => renameSync(webhook, `${webhook}.taken`));
  try {
    await until('the deletion is accepted', async () => (await scene.send(ADMIN, { method: 'DELETE', as: OPERATOR, path: paths.claim(site.serial), body: { gracePeriodSeconds: 0 } })).code < 400 || undefined);
  } finally {
    await reloading(scene.world.plane.servers.get('kube-apiserver'), ['ValidatingAdmissionWebhook'], () => renameSync(`${webhook}.taken`, webhook));
  }
  const strips: Request[] = [
    { method: 'PATCH', path: paths.claim(site.serial), body: { metadata: { finalizers: null } } }, { method: 'PATCH', type: 'patch', path: paths.claim(site.serial), body: [{ op: 'remove', path: '/metadata/finalizers' }] },
  ];
  for (const strip of strips) for (const as of [OPERATOR, ADMIN]) await refusedWith(scene, ADMIN, { ...strip, as, groups: ['system:masters'] }, /stamped after its floor|only the operator/);
  await until('the record says that it is stuck', async () => (await scene.world.operator().audit.rows({ type: AuditType.ClaimStuck })).some(({ serial }) => serial === site.serial) || undefined);
  await refusedWith(scene, scene.sites.other.tenant, pinned(scene.sites.other.tenant, site), /SerialUnavailable/);
}

async function crdDeleted(scene: Scene): Promise<void> {
  await withoutFile(scene, 'p8b-crds', () => scene.pass(ADMIN, { method: 'DELETE', path: paths.crd('macnodebindings') }));
  await until('the server has tried', async () => ((await scene.send(ADMIN, { path: paths.crd('macnodebindings') })).object?.status as { conditions?: { type: string; status: string }[] } | undefined)
    ?.conditions?.some(({ type, status }) => type === 'Terminating' && status === 'True') || undefined);
  for (const { serial } of Object.values(scene.sites)) await refusedWith(scene, ADMIN, { method: 'PATCH', as: OPERATOR, path: paths.claim(serial), body: { metadata: { finalizers: null } } }, /stamped after its floor/);
}

/** In this order: each leaves something behind, the last one a plane that leases nothing more. */
export const last: readonly Held[] = [
  {
    id: 'leases-collected', rule: 3, who: 'admin', attack: 'DELETECOLLECTION of leases', outcome: 'held', by: 'operator', proof: 'the lease is Held, its machine runs, its claim stands until the floor', play: collectedLeases,
  },
  {
    id: 'macs-collected', rule: 2, who: 'admin', attack: 'DELETECOLLECTION of MacNodes, and so of the enrolment of a leased Mac', outcome: 'held', by: 'p1d-node-delete', proof: 'the claim, the node and the machines stay, nobody else gets the Mac; enrolled again, it goes on', play: collectedMacs,
  },
  {
    id: 'instances-collected', rule: 1, who: 'admin', attack: 'DELETECOLLECTION of instances', outcome: 'held', by: 'operator', proof: 'each instance goes after its machine and its disk', play: collectedInstances,
  },
  {
    id: 'release-faked', rule: 3, who: 'admin as operator', attack: 'A lease is called Released, with a releasedAt in the future', outcome: 'held', by: 'p7b-claim-floor', proof: "the claim decides, not the lease: it stands, and nobody else gets the Mac", play: fakedRelease,
  },
  {
    id: 'namespace-renamed', rule: 2, who: 'admin as controller', attack: 'A namespace with a Held lease is forced away as the namespace controller, and made again under its name for another customer', outcome: 'held', by: 'webhook',
    proof: 'the claim holds the UID of the former namespace: neither an instance nor a lease nor a VM pod of the next customer reaches the Mac, and the agent refuses a pod that selects another Mac', play: renamed,
  },
  {
    id: 'claim-stuck', rule: 3, who: 'admin and host', attack: 'The Clock policy and the webhook are taken away on the control-plane host and a claim is deleted before its floor, with force', outcome: 'held', by: 'p7b-claim-floor',
    proof: 'the claim is out of service for good: its finalizer cannot be taken off, nobody else gets the Mac, the audit record says Claim stuck', play: stuck,
  },
  {
    id: 'crd-deleted-on-host', rule: 3, who: 'admin and host', attack: "The policy that guards the CRDs is taken away on the control-plane host and the claims' CRD is deleted with claims present", outcome: 'held', by: 'p7b-claim-floor',
    proof: 'every claim stands, and its finalizer cannot be taken off', play: crdDeleted,
  },
];
