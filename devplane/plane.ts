import { randomBytes } from 'node:crypto';
import { Admission } from './admission/admission';
import { PolicySet } from './admission/policies';
import { Webhooks } from './admission/webhooks';
import { Clock } from './clock';
import { runGarbageCollector } from './controllers/garbage';
import { runNamespaceController } from './controllers/namespaces';
import { runNodeReadiness } from './controllers/node-readiness';
import type { ApiObject } from './json';
import { type Access, kubeconfig } from './kubeconfig';
import { readManifests } from './manifests';
import { builtinResources } from './resources/builtin';
import { customResource } from './resources/custom';
import { apiVersionOf } from './resources/definition';
import { ResourceRegistry } from './resources/registry';
import { type Authority, createAuthority, type KeyPair } from './server/certificates';
import { type Credential, Identities } from './server/identities';
import type { User } from './server/user';
import { RequestObserver } from './server/observer';
import { listen } from './server/server';
import { runScheduler } from './scheduler/scheduler';
import { Store } from './store/store';
import { call } from './verbs/call';
import type { Plane } from './verbs/plane';
import { create } from './verbs/create';

export interface PlaneOptions {
  /** Directories (or files) of YAML; a missing option loads nothing of that sort. */
  crds?: string | string[];
  policies?: string | string[];
  rbac?: string | string[];
  webhooks?: string | string[];
  /** Default 0: any free port of 127.0.0.1. */
  port?: number;
  /** Users beside the administrator. A token is made up where none is given. */
  users?: (User & Partial<Credential>)[];
  /** Created by the administrator before the plane listens, in this order. */
  objects?: ApiObject[];
  /** Changes that a watch can still start from; default 10,000. */
  historyLimit?: number;
  /** Where the plane's own lines go; default standard error. */
  log?: (line: string) => void;
}

/** Timers on the plane's clock: for components that must see an advance. */
export interface PlaneTimers {
  after(ms: number, fn: () => void): () => void;
}

export interface DevelopmentPlane {
  /** `https://127.0.0.1:<port>` */
  url: string;
  /** PEM of the CA that signs the serving certificate and client certificates. */
  ca: string;
  clock: Clock;
  timers: PlaneTimers;
  requests: RequestObserver;
  /** Adds a user with a token. @returns the token. */
  addUser(user: User & Partial<Credential>): string;
  /** The bearer token of a user. @throws Error for an unknown user */
  token(user: string): string;
  /** A client certificate of the plane's CA. */
  identify(user: string, groups: readonly string[]): Promise<KeyPair>;
  /** A serving certificate of the plane's CA. */
  serve: Authority['serve'];
  /** A kubeconfig with a token for each named user; the first is the current context. @throws Error for an unknown user */
  kubeconfig(users: string | string[], namespaces?: Record<string, string>): string;
  /** Creates objects as the administrator, through admission, past HTTP. */
  load(objects: ApiObject[]): Promise<void>;
  /** Sends every admission webhook to this origin from now on. Before, the URLs of the manifests are called, and fail closed. @param ca PEM */
  redirectWebhooks(origin: string, ca: string): void;
  /** Forgets the history, so that watches from before get 410. */
  compact(): void;
  stop(): Promise<void>;
}

export const admin: User = { name: 'macrack-admin', groups: ['system:masters'] };
export const banner = 'development plane: no compliance claim';
const bootNamespaces = ['default', 'kube-system', 'kube-node-lease', 'macrack-system'];

function registry(crds: ApiObject[]): ResourceRegistry {
  const resources = new ResourceRegistry();
  for (const definition of builtinResources) resources.add(definition);
  for (const crd of crds) resources.add(customResource(crd));
  return resources;
}

const loaded = (paths: string | string[] | undefined, ...kinds: string[]) => [paths ?? []].flat().flatMap(readManifests).filter(({ kind }) => kinds.includes(kind));

async function createAs(plane: Plane, user: User, object: ApiObject): Promise<void> {
  const definition = plane.resources.all().find((candidate) => candidate.kind === object.kind && apiVersionOf(candidate) === object.apiVersion);
  if (!definition) throw new Error(`the development plane has no kind ${object.apiVersion} ${object.kind}`);
  const namespace = definition.namespaced ? (object.metadata.namespace ?? 'default') : undefined;
  await create(plane, call(user, definition, { body: object, ...(namespace && { namespace }) }));
}

function users(identities: Identities, options: PlaneOptions) {
  const tokens = new Map<string, string>();
  const addUser = (user: User & Partial<Credential>) => {
    const token = user.token ?? randomBytes(24).toString('base64url');
    identities.add({ ...user, token });
    // A second credential of a user, an expired one for example, leaves his kubeconfig alone.
    if (!tokens.has(user.name)) tokens.set(user.name, token);
    return token;
  };
  for (const user of [admin, ...(options.users ?? [])]) addUser(user);
  return { tokens, addUser };
}

function tokenOf(tokens: Map<string, string>, name: string): string {
  const token = tokens.get(name);
  if (token === undefined) throw new Error(`the plane has no user ${name}; it has ${[...tokens.keys()].join(', ')}`);
  return token;
}

const accessOf = (tokens: Map<string, string>, name: string, namespace?: string): Access => ({ name, credential: { token: tokenOf(tokens, name) }, ...(namespace && { namespace }) });

async function serve(authority: Authority, plane: Plane, identities: Identities, observer: RequestObserver, port: number) {
  const serving = await authority.serve({ dns: ['localhost'], ips: ['127.0.0.1'] });
  return listen({ plane, identities, observer }, { key: serving.key, cert: serving.certificate, ca: authority.certificate }, port);
}

/** Starts a plane in this process, in memory. Nothing of it outlives `stop()`. */
export async function startPlane(options: PlaneOptions = {}): Promise<DevelopmentPlane> {
  const log = options.log ?? ((line) => void process.stderr.write(`${line}\n`));
  const clock = new Clock();
  const resources = registry(loaded(options.crds, 'CustomResourceDefinition'));
  const store = new Store(options.historyLimit ?? 10_000);
  const policies = new PolicySet(loaded(options.policies, 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding', 'MutatingAdmissionPolicy'), store, resources, log);
  const webhooks = new Webhooks(loaded(options.webhooks, 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'));
  const plane: Plane = { store, clock, resources, admission: new Admission(policies, webhooks) };
  const identities = new Identities(() => clock.now());
  const { tokens, addUser } = users(identities, options);
  const authority = await createAuthority();
  for (const name of bootNamespaces) await createAs(plane, admin, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const roles = loaded(options.rbac, 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding');
  for (const object of [...loaded(options.crds, 'CustomResourceDefinition'), ...roles, ...(options.objects ?? [])]) await createAs(plane, admin, object);
  const stops = [runNamespaceController, runGarbageCollector, runNodeReadiness, runScheduler].map((run) => run(plane, log));
  const observer = new RequestObserver();
  const { server, port } = await serve(authority, plane, identities, observer, options.port ?? 0);
  const url = `https://127.0.0.1:${port}`;
  log(banner);
  return {
    url, ca: authority.certificate, clock, timers: { after: (ms, fn) => clock.after(ms, fn) }, requests: observer, addUser, token: (user) => tokenOf(tokens, user),
    identify: (user, groups) => authority.identify(user, groups), serve: (names) => authority.serve(names),
    kubeconfig: (names, namespaces = {}) => kubeconfig(url, authority.certificate, [names].flat().map((name) => accessOf(tokens, name, namespaces[name]))),
    load: async (objects) => {
      for (const object of objects) await createAs(plane, admin, object);
    },
    redirectWebhooks: (origin, ca) => webhooks.redirect(origin, ca),
    compact: () => plane.store.compact(),
    stop: async () => {
      clock.stop();
      await Promise.all(stops.map((stop) => stop()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
