import { until } from '../../sdk/client/until';
import type { ApiObject, Json, JsonObject } from '../../devplane/json';
import { clone, isRecord, mergePatch } from '../../devplane/json';
import { ADMIN, OPERATOR } from '../../realplane/identities';
import { type Actor, type Named, type Operation, PATCH_TYPES, type ResourceName, RESOURCES } from './operations';
import { type Answer, type Request, type Side, TENANT, VIEWER } from './planes';

/** The namespace controller asks for every resource in turn, at a limited rate over all namespaces. */
const NAMESPACE_S = 180;

const OTHER = { version: '1', uid: '00000000-0000-4000-8000-000000000000' };

/** Carries operations out on one plane, in a namespace and with cluster-wide names of its own. */
export class Player {
  readonly #seen = new Map<string, ApiObject>();
  readonly namespace: string;

  constructor(readonly side: Side, private readonly number: number) {
    this.namespace = `t${number}`;
  }

  /** Returns when pods can be made. */
  async begin(): Promise<void> {
    const editor = (user: string, role: string) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: role, namespace: this.namespace },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }, subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
    });
    await this.#admin('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: this.namespace } });
    for (const binding of [editor(TENANT, 'macrack-tenant-editor'), editor(VIEWER, 'macrack-tenant-viewer')]) await this.#admin('POST', `/apis/rbac.authorization.k8s.io/v1/namespaces/${this.namespace}/rolebindings`, binding);
    await until('the namespace has its service account', async () => [200, 501].includes((await this.#admin('GET', `/api/v1/namespaces/${this.namespace}/serviceaccounts/default`)).code) || undefined);
  }

  async play(operation: Operation): Promise<Answer> {
    await this.#look(operation);
    const answer = this.#own(operation, await this.side.ask(this.#user(operation.as), this.#request(operation)));
    const isObject = answer.code < 300 && answer.body.metadata?.uid !== undefined && answer.body.kind === RESOURCES[operation.resource].kind;
    if (isObject && !('dryRun' in operation && operation.dryRun)) this.#seen.set(this.#key(operation), answer.body);
    return answer;
  }

  /** Controllers write to nodes and pods at their own time: their versions are read afresh. */
  async #look(operation: Operation): Promise<void> {
    if (!['node', 'pod'].includes(operation.resource) || !('version' in operation) || operation.version !== 'current') return;
    const { code, body } = await this.#admin('GET', this.#key(operation));
    if (code === 200) this.#seen.set(this.#key(operation), body);
  }

  /** Ends the namespace; returns when it is gone or says what keeps it. */
  async endNamespace(): Promise<void> {
    const path = `/api/v1/namespaces/${this.namespace}`;
    await this.#admin('DELETE', path);
    await until('the namespace is gone or says why not', async () => {
      const { code, body } = await this.#admin('GET', path);
      if (code === 404 || /SomeResourcesRemain|ContentDeletionFailed/.test(JSON.stringify(body))) return true;
      // While a pod is left, Kubernetes touches nothing else and says nothing of it.
      return ((await this.#admin('GET', this.#collection('pod'))).body.items ?? []).some(({ metadata }) => metadata.deletionTimestamp !== undefined) || undefined;
    }, NAMESPACE_S);
  }

  /** Everything of this sequence that is there. */
  async state(): Promise<ApiObject[]> {
    const lists = await Promise.all((Object.keys(RESOURCES) as ResourceName[]).map(async (resource) => {
      const { body } = await this.#admin('GET', this.#collection(resource));
      return (body.items ?? []).filter((object) => this.#isOwn(resource, object)).map((object) => ({ ...object, kind: RESOURCES[resource].kind }));
    }));
    const { body } = await this.#admin('GET', `/api/v1/namespaces/${this.namespace}`);
    return [...lists.flat(), body];
  }

  /** In the words of the sequence, so that planes and runs compare. */
  neutral<T extends Json>(value: T): T {
    const text = JSON.stringify(value).replaceAll(new RegExp(`\\b${this.namespace}\\b`, 'g'), '@@').replaceAll(new RegExp(`\\b((?:mac-|other-)?[cdCD]-?)${this.number}\\b`, 'g'), '$1@');
    return JSON.parse(text) as T;
  }

  /** A list without what other sequences and servers have there. */
  #own({ resource }: Operation, answer: Answer): Answer {
    const { items } = answer.body;
    return items === undefined ? answer : { ...answer, body: { ...answer.body, items: items.filter((object) => this.#isOwn(resource, object)) } };
  }

  /** Whether this sequence made it. Schedulers write events too, each in its own way. */
  #isOwn(resource: ResourceName, { metadata }: ApiObject): boolean {
    if (resource === 'event' && metadata.name.includes('.')) return false;
    return RESOURCES[resource].scope === 'tenant' ? metadata.namespace === this.namespace : new RegExp(`[cd-]${this.number}$`).test(metadata.name);
  }

  #admin(method: string, path: string, body?: Json): Promise<Answer> {
    return this.side.ask(ADMIN, { method, path, ...(body !== undefined && { body }) });
  }

  #user(actor: Actor): string {
    const users: Record<Actor, string> = { admin: ADMIN, operator: OPERATOR, tenant: TENANT, viewer: VIEWER, agent: `system:node:mac-c${this.number}`, scheduler: 'system:kube-scheduler' };
    return users[actor];
  }

  #spelt<T extends Json>(value: T): T {
    return JSON.parse(JSON.stringify(value).replaceAll('@@', this.namespace).replaceAll('@', String(this.number))) as T;
  }

  #collection(resource: ResourceName, everywhere = false): string {
    const { path, plural, scope } = RESOURCES[resource];
    if (scope === 'cluster' || everywhere) return `/${path}/${plural}`;
    return `/${path}/namespaces/${scope === 'tenant' ? this.namespace : scope}/${plural}`;
  }

  #key({ resource, name }: Operation): string {
    return `${this.#collection(resource)}/${this.#spelt(name)}`;
  }

  #named(operation: Operation, which: Named, field: 'resourceVersion' | 'uid'): string | undefined {
    if (which === 'other') return field === 'uid' ? OTHER.uid : OTHER.version;
    return which === 'current' ? this.#seen.get(this.#key(operation))?.metadata[field] : undefined;
  }

  #metadata(operation: Operation, version: Named, uid: Named): JsonObject {
    const [resourceVersion, id] = [this.#named(operation, version, 'resourceVersion'), this.#named(operation, uid, 'uid')];
    return { ...(resourceVersion !== undefined && { resourceVersion }), ...(id !== undefined && { uid: id }) };
  }

  #request(operation: Operation): Request {
    const { apiVersion, kind } = RESOURCES[operation.resource];
    const collection = this.#collection(operation.resource, 'everywhere' in operation && operation.everywhere);
    const query = new URLSearchParams('dryRun' in operation && operation.dryRun ? { dryRun: 'All' } : {});
    const name = this.#spelt(operation.name);
    const at = (more = '') => `${collection}/${encodeURIComponent(name)}${more}${query.size > 0 ? `?${query.toString()}` : ''}`;
    switch (operation.do) {
      case 'create':
        if (operation.strict) query.set('fieldValidation', 'Strict');
        return { method: 'POST', path: `${collection}?${query.toString()}`, body: this.#spelt({ apiVersion, kind, ...operation.body, metadata: { ...(name !== '' && { name }), ...operation.metadata } }) };
      case 'patch': return { method: 'PATCH', path: at(operation.status ? '/status' : ''), type: PATCH_TYPES[operation.type], body: this.#patch(operation) };
      case 'replace': return { method: 'PUT', path: at(operation.status ? '/status' : ''), body: this.#replacement(operation, { apiVersion, kind, metadata: { name } }) };
      case 'delete': return { method: 'DELETE', path: at(), body: { ...(operation.dryRun && { dryRun: ['All'] }), ...(operation.grace !== undefined && { gracePeriodSeconds: operation.grace }), preconditions: this.#metadata(operation, operation.version, operation.uid) } };
      case 'empty':
        query.set('labelSelector', operation.selector);
        return { method: 'DELETE', path: `${collection}?${query.toString()}` };
      case 'read': return { method: 'GET', path: at() };
      case 'list':
        query.set('labelSelector', operation.labels);
        query.set('fieldSelector', this.#spelt(operation.fields));
        return { method: 'GET', path: `${collection}?${query.toString()}` };
      case 'bind': return { method: 'POST', path: at('/binding'), body: { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: { kind: 'Node', name: `mac-c${this.number}` } } };
      case 'evict': return { method: 'POST', path: at('/eviction'), body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...(operation.grace !== undefined && { deleteOptions: { gracePeriodSeconds: operation.grace } }) } };
    }
  }

  #patch(operation: Operation & { do: 'patch' }): Json {
    const patch = this.#spelt(operation.patch);
    const pinned = this.#metadata(operation, operation.version, operation.uid);
    if (Array.isArray(patch)) return [...Object.entries(pinned).map(([field, value]) => ({ op: 'replace', path: `/metadata/${field}`, value: value ?? null })), ...patch];
    return isRecord(patch) && Object.keys(pinned).length > 0 ? { ...patch, metadata: { ...(isRecord(patch.metadata) ? patch.metadata : {}), ...pinned } } : patch;
  }

  #replacement(operation: Operation & { do: 'replace' }, empty: JsonObject): Json {
    const seen = clone(this.#seen.get(this.#key(operation)) ?? (empty as ApiObject));
    delete seen.metadata.resourceVersion;
    delete seen.metadata.managedFields;
    const edited = mergePatch(seen, this.#spelt(operation.edit)) as ApiObject;
    return { ...edited, metadata: { ...edited.metadata, ...this.#metadata(operation, operation.version, 'none') } };
  }
}
