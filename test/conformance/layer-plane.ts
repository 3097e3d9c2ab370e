import { join, resolve } from 'node:path';
import { type DevelopmentPlane, type PlaneOptions, startPlane } from '../../devplane/plane';
import { Kinds } from '../../sdk/api';
import { connect, type ControlPlane } from '../../sdk/client';

export const DEPLOY = resolve(__dirname, '..', '..', 'deploy');
export const ADMIN = 'macrack-admin';
export const OPERATOR = 'macrack-operator';
export const TENANT = 'tenant-a';
export const OTHER_TENANT = 'tenant-b';

const editor = (user: string) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata: { name: 'editor', namespace: user },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'macrack-tenant-editor' }, subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }],
});

const tenants = [TENANT, OTHER_TENANT].flatMap((name) => [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, editor(name)]);

/** A development plane with the parts of `deploy/` that one layer is made of, and nothing else: no operator, no agent. */
export class LayerPlane {
  readonly #clients = new Map<string, ControlPlane>();

  private constructor(readonly plane: DevelopmentPlane) {}

  /** @param layer what is on it beside the roles; `crds` are those of `deploy/` unless given. */
  static async start(layer: Pick<PlaneOptions, 'crds' | 'policies' | 'webhooks' | 'users'> = {}): Promise<LayerPlane> {
    const users = [{ name: OPERATOR, groups: ['macrack:operators'] }, ...[TENANT, OTHER_TENANT].map((name) => ({ name, groups: [] })), ...(layer.users ?? [])];
    return new LayerPlane(await startPlane({ crds: join(DEPLOY, 'crds'), rbac: join(DEPLOY, 'rbac'), ...layer, users, objects: tenants, log: () => undefined }));
  }

  /** A client with the identity of a user; the same one each time. */
  async as(user: string): Promise<ControlPlane> {
    const known = this.#clients.get(user) ?? await connect({ host: this.plane.url, clusterCaCertificate: this.plane.ca, token: this.plane.token(user), env: {} });
    this.#clients.set(user, known);
    return known;
  }

  /** The plane's clock stands still at this moment, so that a row is asked to the millisecond. Not for planes whose parts wait by timers. */
  standStill(at: number): void {
    this.plane.clock.now = () => at;
  }

  /** Deletes a claim as the operator does, with the plane's clock set so far after the stamp of its making. @param afterMs milliseconds */
  async deleteClaimAfter(name: string, afterMs: number): Promise<void> {
    const operator = await this.as(OPERATOR);
    const { metadata } = await operator.get(Kinds.MacNodeBinding, { name });
    this.standStill(Date.parse(metadata.creationTimestamp) + afterMs);
    await operator.remove(Kinds.MacNodeBinding, { name });
    Reflect.deleteProperty(this.plane.clock, 'now');
  }

  async stop(): Promise<void> {
    for (const client of this.#clients.values()) client.close();
    await this.plane.stop();
  }
}
