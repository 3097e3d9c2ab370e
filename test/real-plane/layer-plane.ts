import { join } from 'node:path';
import type { ControlPlane } from '../../sdk/client';
import { OPERATOR, ADMIN } from '../../realplane/identities';
import { storageKey } from '../../realplane/etcd-store';
import { Kinds } from '../../sdk/api';
import { makeTenants } from '../../realplane/tenants';
import { deployDirectory } from '../../devplane/package-files';
import { type RealPlane, startRealPlane } from '../../realplane/real-plane';

export { ADMIN, OPERATOR };
export const DEPLOY = deployDirectory();
export const TENANT = 'tenant-a';
export const OTHER_TENANT = 'tenant-b';

/** What the layers of the verdict table stand on, with Kubernetes 1.37 under it. A drop-in for the one on the development plane. */
export class LayerPlane {
  readonly #clients = new Map<string, ControlPlane>();

  /** A user needs no introduction here: the plane's authority signs any certificate. */
  readonly plane: RealPlane & { addUser(): void };

  private constructor(plane: RealPlane) {
    this.plane = { ...plane, addUser: () => undefined };
  }

  /** @param layer only whether it names policies counts: the real plane has those of deploy/ or none. */
  static async start(layer: { readonly policies?: string } = {}): Promise<LayerPlane> {
    const plane = await startRealPlane({ policies: layer.policies !== undefined, install: ['crds', 'rbac'] });
    await makeTenants(plane, [TENANT, OTHER_TENANT]);
    return new LayerPlane(plane);
  }

  /** A client with the identity of a user; the same one each time. */
  async as(user: string): Promise<ControlPlane> {
    const known = this.#clients.get(user) ?? await this.plane.connectAs(user);
    this.#clients.set(user, known);
    return known;
  }

  /** Deletes a claim as the operator does, then sets the stamp of its making so far before that of its deletion: this plane has no clock to move. @param afterMs milliseconds */
  async deleteClaimAfter(name: string, afterMs: number): Promise<void> {
    await (await this.as(OPERATOR)).remove(Kinds.MacNodeBinding, { name });
    await this.plane.store.edit(storageKey('macrack.io', 'macnodebindings', name), (stored) => {
      const creationTimestamp = new Date(Date.parse(stored.metadata.deletionTimestamp ?? '') - afterMs).toISOString().replace('.000Z', 'Z');
      return { ...stored, metadata: { ...stored.metadata, creationTimestamp } };
    });
  }

  async stop(): Promise<void> {
    for (const client of this.#clients.values()) client.close();
    await this.plane.stop();
  }
}

/** The value of `LayerPlane.start` that asks for the policies. */
export const POLICIES = join(DEPLOY, 'policies');
