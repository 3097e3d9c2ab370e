import { Kinds, type MacNodeLease, type MacOSInstance } from '../sdk/api/kinds';
import type { Kind, KubeObject } from '../sdk/api/object';
import type { WriteOptions } from '../sdk/client/control-plane';
import { TENANT, type World } from './world';

const PATIENCE_MS = 300_000;
const SHAPE = { cpu: 2, memory: '4Gi', disk: '60Gi' };

export const lease = (name: string) => ({ metadata: { namespace: TENANT, name }, spec: { class: 'base' } });
export const instance = (name: string, leaseName: string) => ({ metadata: { namespace: TENANT, name }, spec: { leaseName, image: 'registry.example/macos:26', shape: SHAPE } });

export const createLease = ({ tenant }: World, name: string, options?: WriteOptions): Promise<MacNodeLease> => tenant.create(Kinds.MacNodeLease, lease(name), options);
export const createInstance = ({ tenant }: World, name: string, leaseName: string, options?: WriteOptions): Promise<MacOSInstance> => tenant.create(Kinds.MacOSInstance, instance(name, leaseName), options);

/**
 * Waits by a watch, which asks nothing again and again: neither counts nor times hold the waiting itself.
 * @throws Error when it takes minutes
 */
function untilPhase<T extends KubeObject<unknown, { readonly phase?: string | undefined }>>({ admin }: World, kind: Kind<T>, names: readonly string[], phase: string): Promise<void> {
  const missing = new Set(names);
  return new Promise((resolve, reject) => {
    const note = ({ metadata, status }: T): void => {
      if (status?.phase === phase) missing.delete(metadata.name);
      if (missing.size === 0) end();
    };
    const watching = admin.watch(kind, { namespace: TENANT }, { onSync: (items) => items.forEach(note), onChange: (_, object) => note(object) });
    const deadline = setTimeout(() => end(new Error(`${[...missing].join(', ')}: not ${phase} within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
    const end = (error?: Error): void => {
      clearTimeout(deadline);
      watching.stop();
      if (error === undefined) resolve();
      else reject(error);
    };
  });
}

export const untilBound = (world: World, names: readonly string[]): Promise<void> => untilPhase(world, Kinds.MacNodeLease, names, 'Bound');
export const untilRunning = (world: World, names: readonly string[]): Promise<void> => untilPhase(world, Kinds.MacOSInstance, names, 'Running');
