import { AuditType, type AuditRow } from '../../../operator';
import { Kinds } from '../../../sdk/api';
import { until } from '../../../sdk/client/until';
import type { Held } from '../attack';
import * as paths from '../paths';
import type { Scene } from '../scene';
import type { Site } from '../site';

const OPERATOR = 'macrack-operator';
const SCHEDULER = 'system:kube-scheduler';
const ADMIN = 'macrack-admin';
const slot = { 'macrack.io/macos-vm': '1' };

/** A VM pod as the operator would write it for the tenant's own claim, for an instance that is none. */
export const alien = (site: Site, on: Site = site) => ({
  apiVersion: 'v1', kind: 'Pod',
  metadata: {
    name: 'alien-vm-0', namespace: site.tenant, labels: { 'macrack.io/instance': 'alien', 'macrack.io/lease': 'alien' },
    annotations: { 'macrack.io/instance-uid': `alien-${on.serial}`, 'macrack.io/lease-uid': site.leaseUID, 'macrack.io/binding-uid': site.claimUID, 'macrack.io/shape': '{"cpu":1,"memory":"1Gi","disk":"10Gi"}' },
  },
  spec: { nodeSelector: { 'node-restriction.kubernetes.io/macrack-serial': site.serial }, containers: [{ name: 'vm', image: 'x', resources: { limits: slot, requests: slot } }], restartPolicy: 'Never', automountServiceAccountToken: false },
});

/** Made as the operator, bound as the scheduler. */
export async function forceOnto(scene: Scene, pod: ReturnType<typeof alien>, node: string): Promise<void> {
  const { name, namespace } = pod.metadata;
  await scene.pass(ADMIN, { as: OPERATOR, path: paths.pod(namespace), body: pod });
  await scene.pass(ADMIN, { as: SCHEDULER, path: `${paths.pod(namespace, name)}/binding`, body: { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace }, target: { apiVersion: 'v1', kind: 'Node', name: node } } });
}

/** The agent's own refusal, in the audit record. */
export const recorded = (scene: Scene, type: AuditType, { serial }: Site): Promise<AuditRow> => until(`${type} is recorded of ${serial}`, async () =>
  (await scene.world.operator().audit.rows({ type })).find((row) => row.layer === 'agent' && row.serial === serial));

const untilInstance = (scene: Scene, { tenant, instances }: Site, phase: string): Promise<true> => until(`${instances[0]} is ${phase}`, async () =>
  ((await scene.admin.get(Kinds.MacOSInstance, { namespace: tenant, name: instances[0] ?? '' })).status?.phase === phase ? true : undefined));

const asNode = ({ node }: Site) => ({ as: `system:node:${node}`, groups: ['system:nodes', 'system:masters'] });

/** Takes the pod of the one instance away, and waits until the instance runs in another. */
async function startsAnew(scene: Scene, site: Site, takeAway: () => Promise<unknown>): Promise<void> {
  const pod = { namespace: site.tenant, name: site.pods[0] ?? '' };
  const { uid } = (await scene.admin.get(Kinds.Pod, pod)).metadata;
  await takeAway();
  await until('the instance has another pod, which runs', async () => {
    const now = await scene.admin.tryGet(Kinds.Pod, pod);
    return now !== null && now.metadata.uid !== uid && now.status?.phase === 'Running' ? true : undefined;
  });
  await untilInstance(scene, site, 'Running');
}

export const impersonated: readonly Held[] = [
  {
    id: 'third-machine', rule: 1, who: 'admin as scheduler', attack: 'As the operator a VM pod is made beside two running ones, as the scheduler it is bound to their Mac: three pods are there', outcome: 'held', by: 'agent',
    proof: 'the agent refuses it with ThirdInstance, the audit record has it, the hypervisor runs the same two machines',
    play: async (scene) => {
      const site = scene.sites.full;
      const before = scene.mac(site).running();
      await forceOnto(scene, alien(site), site.node);
      await recorded(scene, AuditType.ThirdInstanceRejected, site);
      if (JSON.stringify(scene.mac(site).running()) !== JSON.stringify(before)) throw new Error('other machines run than before');
    },
  },
  {
    id: 'foreign-machine', rule: 2, who: 'admin as scheduler', attack: "As the operator the taint of a Mac is swapped in two steps and a VM pod of another tenant is made, as the scheduler it is bound to that Mac", outcome: 'held', by: 'agent',
    proof: 'the agent refuses it with CrossTenant, since the claim names another tenant; the audit record has it; the operator puts the taint back',
    play: async (scene) => {
      // The attacker's own Mac is full, so that the scheduler leaves its pod alone.
      const { half, full: other } = scene.sites;
      for (const taint of [{ key: 'macrack.io/unleased' }, { key: 'macrack.io/tenant', value: other.tenant }]) {
        await scene.send(ADMIN, { method: 'PATCH', as: OPERATOR, path: paths.node(half.node), body: { spec: { taints: [{ ...taint, effect: 'NoSchedule' }] } } });
      }
      await forceOnto(scene, alien(other, half), half.node);
      await recorded(scene, AuditType.CrossTenantRejected, half);
      await until('the taint is back', async () => (await scene.admin.get(Kinds.Node, { name: half.node })).spec.taints?.some(({ key, value }) => key === 'macrack.io/tenant' && value === half.tenant) || undefined);
    },
  },
  {
    id: 'pod-force-deleted-as-node', rule: 1, who: 'admin as node', attack: "As the node a running machine's pod is deleted by force, so that its slot is free while it runs", outcome: 'held', by: 'agent',
    proof: 'the agent ends the machine that has no pod; only then does the instance start again; never three',
    play: async (scene) => {
      const site = scene.sites.half;
      await startsAnew(scene, site, () => scene.pass(ADMIN, { method: 'DELETE', path: paths.pod(site.tenant, site.pods[0]), body: { gracePeriodSeconds: 0 }, ...asNode(site) }));
    },
  },
  {
    id: 'pod-collected', rule: 1, who: 'admin as controller', attack: 'A VM pod is deleted; while its machine still shuts down, the pod is called Failed as the pod collector and then deleted by force', outcome: 'held', by: 'agent',
    proof: 'the agent ends the machine before it starts the next in that slot; never three',
    play: async (scene) => {
      const site = scene.sites.half;
      const { faults } = scene.mac(site);
      faults.stopMs = 3000;
      await startsAnew(scene, site, async () => {
        await scene.pass(ADMIN, { method: 'DELETE', path: paths.pod(site.tenant, site.pods[0]) });
        await scene.pass(ADMIN, { method: 'PATCH', path: `${paths.pod(site.tenant, site.pods[0])}/status`, body: { status: { phase: 'Failed' } }, as: 'system:serviceaccount:kube-system:pod-garbage-collector', groups: ['system:masters'] });
        await scene.pass(ADMIN, { method: 'DELETE', path: paths.pod(site.tenant, site.pods[0]), body: { gracePeriodSeconds: 0 } });
        if (scene.mac(site).running().length !== 1) throw new Error('the machine was to be shutting down still');
      });
      faults.stopMs = 0;
    },
  },
  {
    id: 'pod-failed-as-node', rule: 1, who: 'admin as node', attack: 'As the node the pod of a running machine is called Failed, and then deleted by anybody, which is free for a pod that has ended', outcome: 'held', by: 'agent',
    proof: 'the agent ends the machine, the instance is Failed, nothing runs in the slot that is free',
    play: async (scene) => {
      const site = scene.sites.half;
      await scene.pass(ADMIN, { method: 'PATCH', path: `${paths.pod(site.tenant, site.pods[0])}/status`, body: { status: { phase: 'Failed' } }, ...asNode(site) });
      await until('the machine has ended', () => Promise.resolve(scene.mac(site).running().length === 0 || undefined));
      // An operator that looks only after the pod has gone starts the instance again instead: that is the attack above.
      await untilInstance(scene, site, 'Failed');
      const { code, text } = await scene.send(ADMIN, { method: 'DELETE', path: paths.pod(site.tenant, site.pods[0]), body: { gracePeriodSeconds: 0 } });
      if (code >= 400 && code !== 404) throw new Error(`an ended pod may be deleted by anybody: ${code} ${text}`);
      await untilInstance(scene, site, 'Failed');
    },
  },
];
