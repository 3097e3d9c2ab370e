import { createServer, type Server } from 'node:https';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { SimMac, simHypervisor, startAgent } from '../../../agent';
import { certificateRequest, newKey } from '../../../agent/identity/certificate-request';
import { createAuthority } from '../../../devplane/server/certificates';
import { Kinds } from '../../../sdk/api';
import { until } from '../../../sdk/client/until';
import type { Held } from '../attack';
import * as paths from '../paths';
import { type Answer, dry } from '../request';
import type { Scene } from '../scene';
import type { Site } from '../site';

const ADMIN = 'macrack-admin';
const OPERATOR = 'macrack-operator';
const wild = { operator: 'Exists' };

function expectSame(what: string, found: unknown, wanted: unknown): void {
  const [is, ought] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (is !== ought) throw new Error(`${what}: ${is} instead of ${ought}`);
}

/** Answers every review with a patch that lets a pod tolerate everything. @returns how often it was asked */
async function hostileWebhook(): Promise<{ server: Server; ca: string; origin: string; asked: () => number }> {
  const authority = await createAuthority();
  const { certificate: cert, key } = await authority.serve({ dns: [], ips: ['127.0.0.1'] });
  let asked = 0;
  const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/spec/tolerations', value: [wild] }])).toString('base64');
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
      asked += 1;
      const { uid } = (JSON.parse(Buffer.concat(chunks).toString()) as { request: { uid: string } }).request;
      response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid, allowed: true, patchType: 'JSONPatch', patch } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, ca: authority.certificate, origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations';

const hostileConfiguration = (origin: string, ca: string, reinvocationPolicy: string) => ({
  apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', metadata: { name: 'zz-hostile' },
  webhooks: [{
    name: 'zz.hostile.io', clientConfig: { url: origin, caBundle: Buffer.from(ca).toString('base64') }, rules: [{ apiGroups: [''], apiVersions: ['*'], operations: ['CREATE'], resources: ['pods'] }],
    admissionReviewVersions: ['v1'], sideEffects: 'None', reinvocationPolicy,
  }],
});

/** The answer to a VM pod once the hostile webhook is in force. */
async function underHostileWebhook(scene: Scene, { tenant, serial }: Site, reinvocationPolicy: 'Never' | 'IfNeeded'): Promise<Answer> {
  const hook = await hostileWebhook();
  const vm = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'hooked-vm-0', namespace: tenant }, spec: { nodeSelector: { 'node-restriction.kubernetes.io/macrack-serial': serial }, containers: [{ name: 'vm', image: 'x', resources: { limits: { 'macrack.io/macos-vm': '1' } } }] } };
  try {
    await scene.pass(ADMIN, { path: CONFIGURATIONS, body: hostileConfiguration(hook.origin, hook.ca, reinvocationPolicy) });
    return await until('the hostile webhook is asked', async () => {
      const answer = await scene.send(ADMIN, { as: OPERATOR, path: dry(paths.pod(tenant)), body: vm });
      return hook.asked() > 0 ? answer : undefined;
    });
  } finally {
    await scene.send(ADMIN, { method: 'DELETE', path: `${CONFIGURATIONS}/zz-hostile` });
    hook.server.close();
    hook.server.closeAllConnections();
  }
}

async function overwritten(scene: Scene): Promise<void> {
  const { text, object } = await underHostileWebhook(scene, scene.sites.full, 'Never');
  const tolerations = (object as { spec?: { tolerations?: { key: string }[] } } | undefined)?.spec?.tolerations;
  if (tolerations === undefined) throw new Error(`the pod was to be accepted: ${text}`);
  expectSame('keys that the pod tolerates', tolerations.map(({ key }) => key), ['macrack.io/tenant', 'node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']);
}

async function refusedInTheEnd(scene: Scene): Promise<void> {
  const { code, text } = await underHostileWebhook(scene, scene.sites.full, 'IfNeeded');
  if (code !== 403 || !text.includes('p3-vm-pods')) throw new Error(`the pod was to be refused by p3-vm-pods: ${code} ${text}`);
}

async function secondAgent(scene: Scene, { serial, node }: Site): Promise<void> {
  const thief = new SimMac();
  const plane = await scene.world.connectAs(`system:node:${node}`);
  const agent = startAgent({ plane, serial, hypervisor: simHypervisor(thief), journalFile: join(scene.world.plane.directory, 'second-agent.journal'), log: pino({ level: 'silent' }) });
  try {
    await until('the second agent is refused for its hardware', async () =>
      (await scene.admin.get(Kinds.MacNode, { name: serial })).status?.conditions?.some(({ reason }) => reason === 'HardwareMismatch') || undefined);
    expectSame('machines and bundles of the second Mac', [thief.running(), thief.bundles()], [[], []]);
  } finally {
    await agent.stop();
    plane.close();
  }
}

/** Judged on one block of a request, signed on the other, a bootstrap token would buy the identity of any node. */
async function twoRequestsInOne(scene: Scene): Promise<void> {
  const [newcomer, victim] = ['newcomer', scene.sites.other.serial];
  const [name, token] = ['two-in-one', 'abcdef'];
  await scene.pass(ADMIN, { path: paths.macNode(), body: { apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: newcomer, annotations: { 'macrack.io/enrolment': token } }, spec: { class: 'base', serial: newcomer, hardwareUUID: newcomer } } });
  const [own, others] = [await certificateRequest(await newKey(), newcomer, []), await certificateRequest(await newKey(), victim, [])];
  await scene.pass(ADMIN, {
    as: `system:bootstrap:${token}`, groups: ['system:bootstrappers', 'system:bootstrappers:macrack', 'system:authenticated'], path: paths.certificate(),
    body: {
      apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name, annotations: { 'macrack.io/hardware-uuid': newcomer } },
      spec: { signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['digital signature', 'client auth'], request: Buffer.from(`x${own}\n${others}`).toString('base64') },
    },
  });
  const decided = await until('the operator has decided', async () => {
    const { object } = await scene.pass(ADMIN, { path: paths.certificate(name) });
    const { status } = object as unknown as { status?: { conditions?: { type: string }[]; certificate?: string } };
    return status?.conditions === undefined ? undefined : status;
  });
  expectSame('what became of it', [decided.conditions?.map(({ type }) => type), decided.certificate], [['Denied'], undefined]);
}

/** Lines of the API server's own audit. */
function impersonations(scene: Scene): { user?: { username?: string }; impersonatedUser?: { username?: string } }[] {
  return readFileSync(scene.world.plane.apiAuditFile, 'utf8').split('\n').filter((line) => line.includes('"impersonatedUser"')).map((line) => JSON.parse(line) as object);
}

export const machinery: readonly Held[] = [
  {
    id: 'two-requests-in-one', rule: 'stops', who: 'agent', attack: 'The bootstrap token of one Mac asks with two PEM blocks: its own, and that of another node', outcome: 'held', by: 'operator', proof: 'the request is denied, and no certificate is issued', play: twoRequestsInOne,
  },
  {
    id: 'impersonation', rule: 'stops', who: 'admin', attack: 'A member of system:masters impersonates the operator, the scheduler, a node, a controller', outcome: 'recorded', by: 'API server',
    proof: "each request stands in the API server's audit with both names: alarm on every impersonatedUser",
    play: async (scene) => {
      const names = [OPERATOR, 'system:kube-scheduler', `system:node:${scene.sites.full.node}`, 'system:serviceaccount:kube-system:namespace-controller'];
      for (const as of names) await scene.send(ADMIN, { as, path: '/version', groups: ['system:masters'] });
      await until('all are in the audit of the API server', () => {
        const seen = new Set(impersonations(scene).filter(({ user }) => user?.username === ADMIN).map(({ impersonatedUser }) => impersonatedUser?.username));
        return Promise.resolve(names.every((name) => seen.has(name)) || undefined);
      });
    },
  },
  {
    id: 'hostile-webhook', rule: 2, who: 'admin', attack: 'A mutating webhook lets every VM pod tolerate every taint, after ours have run', outcome: 'held', by: 'm2-vm-pod-tolerations',
    proof: 'the policy runs again after it: the pod tolerates its own tenant only', play: overwritten,
  },
  {
    id: 'hostile-webhook-again', rule: 2, who: 'admin', attack: 'The same webhook asks to be called again whenever somebody changes the pod after it', outcome: 'held', by: 'p3-vm-pods', proof: 'it has the last word among those that change pods, and the pod is refused: no machine starts until the webhook is gone', play: refusedInTheEnd,
  },
  {
    id: 'node-without-taint', rule: 2, who: 'agent', attack: 'An agent registers its Mac without a taint, so that any pod may come', outcome: 'held', by: 'm1-node-taint', proof: 'the node has the taint macrack.io/unleased',
    play: async (scene) => {
      const { object } = await scene.pass('system:node:mac-newmac', { path: dry(paths.node()), body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'mac-newmac', labels: { 'macrack.io/serial': 'newmac', 'kubernetes.io/os': 'darwin' } } } });
      const taints = (object as { spec?: { taints?: { key: string }[] } } | undefined)?.spec?.taints ?? [];
      expectSame('its taint', taints.filter(({ key }) => key.startsWith('macrack.io/')), [{ key: 'macrack.io/unleased', effect: 'NoSchedule' }]);
    },
  },
  {
    id: 'claim-stamps', rule: 3, who: 'admin as operator', attack: "A claim's own stamps are written: made earlier, or deleted earlier", outcome: 'held', by: 'API server', proof: 'the server keeps the stamps that it made',
    play: async (scene) => {
      const { serial } = scene.sites.full;
      const stamps = async () => {
        const { creationTimestamp, deletionTimestamp } = (await scene.admin.get(Kinds.MacNodeBinding, { name: serial })).metadata;
        return [creationTimestamp, deletionTimestamp];
      };
      const before = await stamps();
      for (const metadata of [{ creationTimestamp: '2020-01-01T00:00:00Z' }, { deletionTimestamp: '2099-01-01T00:00:00Z' }]) await scene.send(ADMIN, { method: 'PATCH', as: OPERATOR, path: paths.claim(serial), body: { metadata } });
      expectSame('stamps', await stamps(), before);
    },
  },
  {
    id: 'second-agent', rule: 1, who: 'agent', attack: "A second agent runs with the certificate of a Mac's, on other hardware", outcome: 'held', by: 'agent', proof: 'it is refused for its hardware UUID and starts nothing', play: (scene) => secondAgent(scene, scene.sites.full),
  },
];
