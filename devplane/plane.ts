import { randomBytes } from 'node:crypto';
import { Admission } from './admission/admission';
import { PolicySet } from './admission/policies';
import { Webhooks } from './admission/webhooks';
import type { Clock } from './clock';
import { runGarbageCollector } from './controllers/garbage';
import { runNamespaceController } from './controllers/namespaces';
import { runNodeReadiness } from './controllers/node-readiness';
import { runPodGarbageCollector } from './controllers/pod-garbage';
import { type ApiObject, isEqual } from './json';
import { type Access, kubeconfig } from './kubeconfig';
import { openLasting, type Lasting } from './lasting';
import { readManifests } from './manifests';
import { builtinResources } from './resources/builtin';
import { customResource } from './resources/custom';
import { apiVersionOf, type ResourceDefinition, storeKey } from './resources/definition';
import { ResourceRegistry } from './resources/registry';
import type { Authority, KeyPair } from './server/certificates';
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
  /**
   * Keeps objects, versions, clock, CA, tokens and port in this directory, of one process at a time; a later start with it goes on from there, also after SIGKILL.
   * What an installation brings (CRDs, roles) is renewed, `objects` that are there stay. Default: nothing outlives the process.
   */
  dataDirectory?: string;
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
  /** Creates objects as the administrator, through admission, past HTTP; with a data directory those that are there stay. */
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

interface Placed {
  definition: ResourceDefinition;
  namespace: string | undefined;
  present: ApiObject | undefined;
}

function placeOf(plane: Plane, object: ApiObject): Placed {
  const definition = plane.resources.all().find((candidate) => candidate.kind === object.kind && apiVersionOf(candidate) === object.apiVersion);
  if (!definition) throw new Error(`the development plane has no kind ${object.apiVersion} ${object.kind}`);
  const namespace = definition.namespaced ? (object.metadata.namespace ?? 'default') : undefined;
  return { definition, namespace, present: plane.store.get(storeKey(definition), namespace, object.metadata.name) };
}

async function createAs(plane: Plane, user: User, object: ApiObject): Promise<void> {
  const { definition, namespace } = placeOf(plane, object);
  await create(plane, call(user, definition, { body: object, ...(namespace && { namespace }) }));
}

async function ensure(plane: Plane, object: ApiObject): Promise<void> {
  if (!placeOf(plane, object).present) await createAs(plane, admin, object);
}

/** Brings what an installation owns up to date, past admission, which guards these very objects. */
async function install(plane: Plane, object: ApiObject): Promise<void> {
  const { definition, present } = placeOf(plane, object);
  if (!present) return createAs(plane, admin, object);
  const renewed: ApiObject = { ...object, metadata: { ...present.metadata, ...object.metadata } };
  if (!isEqual(renewed, present)) plane.store.commit(storeKey(definition), present, renewed);
}

function users(identities: Identities, options: PlaneOptions, lasting: Lasting) {
  const tokens = new Map<string, string>();
  const addUser = (user: User & Partial<Credential>) => {
    const isFirst = !tokens.has(user.name);
    const token = user.token ?? (isFirst ? lasting.token(user.name) : undefined) ?? randomBytes(24).toString('base64url');
    identities.add({ ...user, token });
    // A second credential of a user, an expired one for example, leaves his kubeconfig alone.
    if (isFirst) {
      tokens.set(user.name, token);
      lasting.keepToken(user.name, token);
    }
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

async function installAll(plane: Plane, options: PlaneOptions): Promise<void> {
  for (const name of bootNamespaces) await ensure(plane, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const roles = loaded(options.rbac, 'Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding');
  for (const object of [...loaded(options.crds, 'CustomResourceDefinition'), ...roles]) await install(plane, object);
  for (const object of options.objects ?? []) await (options.dataDirectory === undefined ? createAs(plane, admin, object) : ensure(plane, object));
}

/** Starts a plane in this process. Nothing of it outlives `stop()`, save what stands in its data directory. */
export async function startPlane(options: PlaneOptions = {}): Promise<DevelopmentPlane> {
  const log = options.log ?? ((line) => void process.stderr.write(`${line}\n`));
  const resources = registry(loaded(options.crds, 'CustomResourceDefinition'));
  const lasting = await openLasting(options.dataDirectory);
  const { clock, authority } = lasting;
  const store = new Store(options.historyLimit ?? 10_000, lasting.journal);
  const policies = new PolicySet(loaded(options.policies, 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding', 'MutatingAdmissionPolicy'), store, resources, log);
  const webhooks = new Webhooks(loaded(options.webhooks, 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'));
  const plane: Plane = { store, clock, resources, admission: new Admission(policies, webhooks) };
  const identities = new Identities(() => clock.now());
  const { tokens, addUser } = users(identities, options, lasting);
  await installAll(plane, options);
  const stops = [runNamespaceController, runGarbageCollector, runPodGarbageCollector, runNodeReadiness, runScheduler].map((run) => run(plane, log));
  const observer = new RequestObserver();
  const { server, port } = await serve(authority, plane, identities, observer, options.port || lasting.port);
  lasting.keepPort(port);
  const url = `https://127.0.0.1:${port}`;
  log(banner);
  return {
    url, ca: authority.certificate, clock, timers: { after: (ms, fn) => clock.after(ms, fn) }, requests: observer, addUser, token: (user) => tokenOf(tokens, user),
    identify: (user, groups) => authority.identify(user, groups), serve: (names) => authority.serve(names),
    kubeconfig: (names, namespaces = {}) => kubeconfig(url, authority.certificate, [names].flat().map((name) => accessOf(tokens, name, namespaces[name]))),
    load: async (objects) => {
      for (const object of objects) await (options.dataDirectory === undefined ? createAs(plane, admin, object) : ensure(plane, object));
    },
    redirectWebhooks: (origin, ca) => webhooks.redirect(origin, ca),
    compact: () => plane.store.compact(),
    stop: async () => {
      clock.stop();
      await Promise.all(stops.map((stop) => stop()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      lasting.close();
    },
  };
}
