import pino from 'pino';
import { certificateRequest, newKey } from '../../agent/identity/certificate-request';
import { ADMIN } from '../../realplane/identities';
import { kubectl } from '../../realplane/kubectl';
import { describeRealPlane } from '../harness/real-plane-suite';
import type { Refused, Stop } from './attack';
import { fetchToken } from './attacks/kubelet';
import { URGENT, WAITING } from './attacks/pods';
import { DAILY, GHOST } from './attacks/stops';
import * as paths from './paths';
import { dry, dryRunOf, type Answer, type Request } from './request';
import { Scene } from './scene';
import { attacks, held, refused } from './table';
import { tenancy } from './tenancy';

const isPolicy = (stop: Stop): boolean => /^p\d/.test(stop) || stop === 'release-floor';

/** The stop that an answer names; undefined for an answer that is no refusal. */
function stopOf({ code, text }: Answer): string | undefined {
  if (code < 400) return undefined;
  if (text.includes('admission webhook')) return 'webhook';
  return /ValidatingAdmissionPolicy '([^'.]+)/.exec(text)?.[1] ?? `${code} ${text}`;
}

describe('the table of attacks', () => {
  it('names each attack once', () => {
    expect(new Set(attacks.map(({ id }) => id)).size).toBe(attacks.length);
    expect(new Set(attacks.map(({ attack, who }) => `${who}: ${attack}`)).size).toBe(attacks.length);
  });
});

describeRealPlane('a cluster-admin on Kubernetes 1.37', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.start(pino({ level: 'silent' }));
    await scene.pass(ADMIN, { path: '/apis/scheduling.k8s.io/v1/priorityclasses', body: { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: URGENT }, value: 1000 } });
    await scene.pass(ADMIN, { path: paths.rbac('clusterrolebindings'), body: { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: DAILY }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'macrack-administrator' }, subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: DAILY }] } });
    await scene.pass(ADMIN, { path: paths.pod(scene.sites.other.tenant), body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: WAITING }, spec: { containers: [{ name: 'web', image: 'nginx' }] } } });
    await scene.pass(ADMIN, { path: paths.macNode(), body: { apiVersion: 'macrack.io/v1', kind: 'MacNode', metadata: { name: GHOST }, spec: { class: 'base', serial: GHOST, hardwareUUID: 'ghost' } } });
    const asked = await certificateRequest(await newKey(), GHOST, [`mac-${GHOST}`]);
    await scene.pass(ADMIN, {
      user: `system:node:mac-${GHOST}`, path: paths.certificate(),
      body: { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: GHOST, annotations: { 'macrack.io/hardware-uuid': 'ghost' } }, spec: { signerName: 'kubernetes.io/kubelet-serving', usages: ['digital signature', 'server auth'], request: Buffer.from(asked).toString('base64') } },
    });
  });
  afterAll(() => scene?.stop());
  afterEach(async () => {
    expect(await scene.sight.faults()).toEqual([]);
  });

  const requestsOf = ({ requests }: Refused): readonly Request[] => requests(scene.sites.full, scene.sites.other);

  it.each(refused.map((row) => [row.id, row] as const))('is refused: %s', async (_id, row) => {
    for (const [i, request] of requestsOf(row).entries()) {
      const { by, says } = row.except?.[i] ?? row;
      const answer = await scene.send(ADMIN, request);
      expect([i, answer.code >= 400, answer.text]).toEqual([i, true, expect.stringMatching(says)]);
      if (isPolicy(by)) expect([by, row.without]).toContain(stopOf(answer));
    }
    for (const args of row.kubectl?.(scene.sites.full, scene.sites.other) ?? []) {
      const { code, out, err } = await kubectl(scene.world.plane, ADMIN, args);
      expect([args, code, out + err]).toEqual([args, 1, expect.stringMatching(row.says)]);
    }
  });

  describe('would get through', () => {
    afterAll(() => scene.policies.without());

    const stops = [...new Set(refused.map(({ by }) => by).filter((by) => /^p\d/.test(by)))].sort();
    it.each(stops)('without %s: each attack of its that the others do not refuse too', async (stop) => {
      await scene.policies.without(stop);
      for (const row of refused.filter(({ by }) => by === stop)) {
        const answers = await Promise.all(requestsOf(row).map((request) => scene.send(ADMIN, dryRunOf(request))));
        const found = answers.map(stopOf);
        expect([row.id, found]).toEqual([row.id, found.map((_, i) => (typeof row.without === 'object' ? row.without[i] : row.without))]);
      }
    });
  });

  tenancy(() => scene);

  it('finds every account of a controller guarded that Kubernetes gives rights to', async () => {
    const { object } = await scene.pass(ADMIN, { path: paths.rbac('clusterrolebindings') });
    const { items } = object as unknown as { items: { metadata: { name: string }; subjects?: { name: string }[] }[] };
    const accounts = items.filter(({ metadata }) => metadata.name.startsWith('system:controller:')).flatMap(({ subjects = [] }) => subjects.map(({ name }) => name));
    expect(accounts.length).toBeGreaterThan(0);
    expect(accounts.filter((name) => !scene.policies.text('p8h-controller-pods').includes(`'${name}'`))).toEqual([]);
  });

  it('makes ordinary pods while the operator is down, and no VM pod', async () => {
    const { plane, operator } = scene.world;
    const { tenant, serial } = scene.sites.other;
    const create = (spec: object): Promise<Answer> => scene.send(ADMIN, { as: 'macrack-operator', path: dry(paths.pod(tenant)), body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x-vm-1' }, spec } });
    await plane.redirectWebhooks('https://127.0.0.1:1', plane.ca);
    const ordinary = await scene.send(ADMIN, { path: dry(paths.pod(tenant)), body: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx' }] } } });
    const vm = await create({ nodeSelector: { 'node-restriction.kubernetes.io/macrack-serial': serial }, containers: [{ name: 'vm', image: 'x', resources: { limits: { 'macrack.io/macos-vm': '1' } } }] });
    await plane.redirectWebhooks(operator().admissionOrigin, operator().caPem);
    expect([ordinary.code, vm.code, vm.text]).toEqual([201, 500, expect.stringMatching(/failed calling webhook "mutate\.macrack\.io"/)]);
  });

  it('is told apart from the wanted: a node fetches the token of a pod that runs on it', () => fetchToken(scene));

  it.each(held.map((row) => [row.id, row] as const))('changes nothing of the rule: %s', async (_id, { play }) => {
    await play(scene);
  });

  it('leaves the way of the documents: a claim that is stuck is freed on the control-plane host', async () => {
    const site = scene.sites.stuck;
    scene.sight.excuse(site);
    await scene.policies.without('p7-claims-and-clock', 'p7b-claim-floor');
    const { code } = await kubectl(scene.world.plane, ADMIN, ['patch', 'macnodebinding', site.serial, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    await scene.policies.without();
    expect([code, (await scene.send(ADMIN, { path: paths.claim(site.serial) })).code]).toEqual([0, 404]);
  });
});
