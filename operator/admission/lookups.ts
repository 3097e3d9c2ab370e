import { Annotation, Kinds, parseQuantity, type MacNodeBinding, type MacNodeLease, type MacOSInstance, type Shape } from '../../sdk/api';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { parseInstant } from '../../sdk/rules/instant';
import type { Holder } from '../../sdk/rules/judge-start';
import type { Sizes } from '../../sdk/rules/judge-shape';

/** The claim of a lease, live; null while it has none. */
export async function claimOf(plane: ControlPlane, lease: MacNodeLease): Promise<MacNodeBinding | null> {
  const serial = lease.status?.chassis;
  const claim = serial === undefined ? null : await plane.tryGet(Kinds.MacNodeBinding, { name: serial });
  return claim?.spec.leaseUID === lease.metadata.uid ? claim : null;
}

/** UID of a namespace; empty when it is gone, which no claim names. */
export async function namespaceUID(plane: ControlPlane, name: string): Promise<string> {
  return (await plane.tryGet(Kinds.Namespace, { name }))?.metadata.uid ?? '';
}

/** The other instances of a lease, live. */
export async function siblingsOf(plane: ControlPlane, { metadata, spec }: MacOSInstance, namespace: string): Promise<MacOSInstance[]> {
  const { items } = await plane.list(Kinds.MacOSInstance, { namespace });
  return items.filter((i) => i.spec.leaseName === spec.leaseName && i.metadata.name !== metadata.name);
}

export function holderOf({ metadata, status }: MacOSInstance): Holder {
  const owner = metadata.annotations?.[Annotation.RequestedBy];
  return {
    namespace: metadata.namespace ?? '', name: metadata.name, state: status?.phase ?? 'Pending', since: parseInstant(metadata.creationTimestamp),
    ...(owner === undefined ? {} : { owner }),
  };
}

export function sizesOf({ cpu, memory, disk }: Shape): Sizes {
  return { cpu, memory: parseQuantity(memory), disk: parseQuantity(disk) };
}
