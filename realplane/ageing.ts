import type { ApiObject, JsonObject } from '../devplane/json';
import { Kinds } from '../sdk/api/kinds';
import type { Kind } from '../sdk/api/object';
import type { EtcdStore } from './etcd-store';
import { storageKey } from './etcd-store';

/** A claim that is to look older, by the serial of its Mac, and its lease. */
export interface Aged {
  readonly serial: string;
  readonly lease: { readonly namespace: string; readonly name: string };
}

const keyOf = (kind: Kind, name: string, namespace?: string): string => storageKey(kind.group, kind.plural, name, namespace);

/** RFC 3339 in whole seconds, as the server stamps. */
function earlier(stamp: unknown, ms: number): string {
  return new Date(Date.parse(String(stamp)) - ms).toISOString().replace('.000Z', 'Z');
}

function ageStamps(fields: JsonObject, names: readonly string[], ms: number): JsonObject {
  const aged = names.filter((name) => fields[name] !== undefined).map((name) => [name, earlier(fields[name], ms)]);
  return { ...fields, ...Object.fromEntries(aged) as JsonObject };
}

function agedClaim(claim: ApiObject, ms: number): ApiObject {
  return { ...claim, metadata: { ...claim.metadata, creationTimestamp: earlier(claim.metadata.creationTimestamp, ms) } };
}

function agedLease(lease: ApiObject, ms: number): ApiObject {
  return { ...lease, status: ageStamps((lease.status ?? {}) as JsonObject, ['boundAt', 'earliestReleaseAt'], ms) };
}

/**
 * Makes a bound lease look bound `ms` milliseconds earlier, by writing its stamps into the store. No plane has a shortened floor, and a real
 * one has no clock to move. The claim first: the operator repairs a lease from its claim, never the other way.
 */
export async function ageClaim(store: EtcdStore, { serial, lease }: Aged, ms: number): Promise<void> {
  await store.edit(keyOf(Kinds.MacNodeBinding, serial), (claim) => agedClaim(claim, ms));
  await store.edit(keyOf(Kinds.MacNodeLease, lease.name, lease.namespace), (stored) => agedLease(stored, ms));
}
