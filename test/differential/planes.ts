import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiObject, Json } from '../../devplane/json';
import { kubeconfig } from '../../devplane/kubeconfig';
import { readManifests } from '../../devplane/manifests';
import { deployDirectory } from '../../devplane/package-files';
import { startPlane } from '../../devplane/plane';
import type { KeyPair } from '../../devplane/server/certificates';
import { findBinaries } from '../../realplane/binaries';
import { groupsOf } from '../../realplane/identities';
import { kubectl, type Run } from '../../realplane/kubectl';
import { startRealPlane } from '../../realplane/real-plane';
import { makeTenants, tenantObjects } from '../../realplane/tenants';
import { connect, type ControlPlane } from '../../sdk/client';
import { until } from '../../sdk/client/until';

export const TENANT = 'tenant-a';
export const VIEWER = `${TENANT}-viewer`;
export const TENANTS = [TENANT, 'tenant-b'];

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  /** Default application/json. */
  readonly type?: string;
}

export interface Answer {
  readonly code: number;
  readonly warnings: readonly string[];
  readonly body: ApiObject & { message?: string; reason?: string; items?: ApiObject[]; details?: { causes?: { field?: string }[] } };
}

/** One of the two planes, with the installation of deploy/ and no operator. Whoever asks is known by a client certificate. */
export interface Side {
  readonly name: 'Kubernetes 1.37' | 'development plane';
  ask(user: string, request: Request): Promise<Answer>;
  connectAs(user: string): Promise<ControlPlane>;
  kubectl(user: string, args: readonly string[], input?: string): Promise<Run>;
  stop(): Promise<void>;
}

/** What Kubernetes installs by itself, of what the sequences ask. */
const schedulers = [
  { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'system:kube-scheduler' }, rules: [
    { apiGroups: [''], resources: ['pods/binding', 'bindings'], verbs: ['create'] }, { apiGroups: [''], resources: ['pods'], verbs: ['delete', 'get', 'list', 'watch'] },
    { apiGroups: [''], resources: ['pods/status'], verbs: ['patch', 'update'] }, { apiGroups: [''], resources: ['nodes', 'namespaces'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] }, { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create'] },
  ] },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'system:kube-scheduler' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:kube-scheduler' }, subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'system:kube-scheduler' }],
  },
] as ApiObject[];

interface Reachable {
  readonly url: string;
  readonly ca: string;
  readonly identify: (user: string) => Promise<KeyPair>;
}

/** The texts of `299 - "…"` headers. */
const warningsOf = (header: string | string[] | undefined): string[] =>
  [header ?? []].flat().flatMap((line) => [...line.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map((match) => (match[1] ?? '').replace(/\\(.)/g, '$1')));

function send(url: URL, agent: Agent, { method, body, type = 'application/json' }: Request): Promise<Answer> {
  const payload = body === undefined ? '' : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': type }), 'content-length': Buffer.byteLength(payload) } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk)).on('error', reject);
      response.on('end', () => resolve({ code: response.statusCode ?? 0, warnings: warningsOf(response.headers.warning), body: (text.startsWith('{') ? JSON.parse(text.split('\n')[0] ?? '') : { message: text }) as Answer['body'] }));
    });
    sent.on('error', reject).end(payload);
  });
}

/** Requests by any user, over connections that are kept. */
function asker({ url, ca, identify }: Reachable) {
  const agents = new Map<string, Agent>();
  const agentOf = async (user: string): Promise<Agent> => {
    const known = agents.get(user);
    if (known !== undefined) return known;
    const { certificate, key } = await identify(user);
    const made = new Agent({ keepAlive: true, ca, cert: certificate, key });
    agents.set(user, made);
    return made;
  };
  return {
    ask: async (user: string, asked: Request): Promise<Answer> => {
      const agent = await agentOf(user);
      // A server that is busy has done nothing: it is asked again.
      return until('the server has time', async () => {
        const answer = await send(new URL(asked.path, url), agent, asked);
        return answer.code === 429 ? undefined : answer;
      });
    },
    close: () => agents.forEach((agent) => agent.destroy()),
  };
}

async function real(): Promise<Side> {
  const plane = await startRealPlane();
  await makeTenants(plane, TENANTS);
  const { ask, close } = asker(plane);
  const stop = () => {
    close();
    return plane.stop();
  };
  return { name: 'Kubernetes 1.37', ask, stop, connectAs: plane.connectAs, kubectl: (user, args, input) => kubectl(plane, user, args, input) };
}

async function development(): Promise<Side> {
  const from = (folder: string): string => join(deployDirectory(), folder);
  const directory = mkdtempSync(join(tmpdir(), 'macrack-differential-'));
  const plane = await startPlane({
    crds: from('crds'), rbac: from('rbac'), policies: [from('policies'), from('clock-policy')], log: () => undefined, objects: [...readManifests(from('classes')), ...tenantObjects(TENANTS), ...schedulers],
  });
  const pairs = new Map<string, Promise<KeyPair>>();
  const identify = (user: string): Promise<KeyPair> => {
    const pair = pairs.get(user) ?? plane.identify(user, groupsOf(user));
    pairs.set(user, pair);
    return pair;
  };
  const { ask, close } = asker({ ...plane, identify });
  const config = async (user: string) => kubeconfig(plane.url, plane.ca, [{ name: user, credential: await identify(user) }]);
  return {
    name: 'development plane', ask,
    connectAs: async (user) => {
      const { certificate, key } = await identify(user);
      return connect({ host: plane.url, clusterCaCertificate: plane.ca, clientCertificate: certificate, clientKey: key, env: {} });
    },
    kubectl: (user, args, input) => kubectl({ directory, kubeconfig: config, kubectl: findBinaries().kubectl }, user, args, input),
    stop: async () => {
      close();
      await plane.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export interface Both {
  readonly real: Side;
  readonly development: Side;
  stop(): Promise<void>;
}

/** Boots both, alike. */
export async function bothPlanes(): Promise<Both> {
  const sides = { real: await real(), development: await development() };
  return { ...sides, stop: async () => void await Promise.all(Object.values(sides).map((side) => side.stop())) };
}

