import type { ObjectRef } from '../../../sdk/client/control-plane';
import type { ControlPlane } from '../../../sdk/client/control-plane';
import { isFault, PlaneError } from '../../../sdk/client/errors';
import type { Kind, KubeObject, NewObject } from '../../../sdk/api/object';

// Only ends a hang.
const PATIENCE_MS = 180_000;
const PAUSE_MS = 100;

const isPassing = (error: unknown): boolean => (error instanceof PlaneError ? !isFault(error, 'NotFound', 'AlreadyExists', 'Invalid', 'Forbidden', 'Unauthorized') : error instanceof TypeError);

/** Asks until there is an answer, as a person would while servers go down and come back. Refusals are answers. */
export async function tenaciously<T>(ask: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}

/** Somebody who does not give up. A create that was made unseen, and a delete of what is gone, are done. */
export class Tenacious {
  constructor(readonly plane: ControlPlane) {}

  get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<T | null> {
    return tenaciously(() => this.plane.tryGet(kind, ref));
  }

  list<T extends KubeObject>(kind: Kind<T>): Promise<readonly T[]> {
    return tenaciously(async () => (await this.plane.list(kind)).items);
  }

  async create<T extends KubeObject>(kind: Kind<T>, object: NewObject): Promise<T> {
    const ref = { name: object.metadata.name, ...(object.metadata.namespace !== undefined && { namespace: object.metadata.namespace }) };
    return tenaciously(() => this.plane.create(kind, object).catch((error: unknown) => {
      if (isFault(error, 'AlreadyExists')) return this.plane.get(kind, ref);
      throw error;
    }));
  }

  patch<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef, patch: object): Promise<T> {
    return tenaciously(() => this.plane.patch(kind, ref, patch));
  }

  async remove<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<void> {
    await tenaciously(() => this.plane.remove(kind, ref).catch((error: unknown) => {
      if (!isFault(error, 'NotFound')) throw error;
    }));
  }
}
