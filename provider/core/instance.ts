import type { MacOSInstance } from '../../sdk/api/kinds';
import { Annotation } from '../../sdk/api/names';
import { tryParseQuantity } from '../../sdk/api/quantity';
import { tryParseInstant } from '../../sdk/rules/instant';
import type { Sizes } from '../../sdk/rules/judge-shape';
import type { Holder } from '../../sdk/rules/judge-start';
import { isKnown, UNKNOWN, type Maybe } from '../../sdk/rules/unknown';
import { idOf, type Named } from './object-id';
import type { Owner } from './ownership';
import type { Subject } from './title';

/** Sizes as they are written. */
export interface ShapeText {
  readonly cpu: number;
  readonly memory: string;
  readonly disk: string;
}

/** The same with holes. */
export type ShapeDeclaration = { readonly [K in keyof ShapeText]: Maybe<ShapeText[K]> };

/** An instance as a configuration declares it; defaults are filled in already. */
export interface InstanceDeclaration {
  readonly namespace: Maybe<string>;
  readonly name: Maybe<string>;
  /** Id of the lease. */
  readonly lease: Maybe<string>;
  readonly image: Maybe<string>;
  readonly shape: Maybe<ShapeDeclaration>;
  readonly running: Maybe<boolean>;
  readonly owner?: Owner;
}

/** The same without holes, as it is applied. */
export interface InstanceTarget extends Named {
  readonly lease: string;
  readonly image: string;
  readonly shape: ShapeText;
  readonly running: boolean;
  /** A create also waits for an IP address. */
  readonly awaitIp: boolean;
  readonly owner?: Owner;
}

/** An instance as the state of a tool holds it. */
export interface StoredInstance extends Named {
  readonly uid: string;
  readonly lease: string;
  readonly image: string;
  readonly shape: ShapeText;
  readonly running: boolean;
  readonly phase: string;
}

export function instanceSubject(instance: Named, lease: string): Subject {
  return { kind: 'instance', id: idOf(instance), lease };
}

/** An instance that the operator has not looked at yet is Pending. */
export function instancePhase(instance: MacOSInstance): string {
  return instance.status?.phase ?? 'Pending';
}

/** Id of the lease of an instance on the server. */
export function leaseIdOf({ metadata, spec }: MacOSInstance): string {
  return idOf({ namespace: metadata.namespace ?? '', name: spec.leaseName });
}

export function instanceIdOf({ metadata }: MacOSInstance): string {
  return idOf({ namespace: metadata.namespace ?? '', name: metadata.name });
}

/** Cores and bytes; unknown while a part is unknown or cannot be read. */
export function sizesOf(shape: Maybe<ShapeDeclaration>): Maybe<Sizes> {
  if (!isKnown(shape)) return UNKNOWN;
  const { cpu, memory, disk } = shape;
  if (!isKnown(cpu) || !isKnown(memory) || !isKnown(disk)) return UNKNOWN;
  const [bytes, room] = [tryParseQuantity(memory), tryParseQuantity(disk)];
  return bytes === undefined || room === undefined ? UNKNOWN : { cpu, memory: bytes, disk: room };
}

/** True for an instance that holds a slot of its lease: all but the Failed ones and those that are going. */
export function holdsSlot(instance: MacOSInstance): boolean {
  return instancePhase(instance) !== 'Failed' && instance.metadata.deletionTimestamp === undefined;
}

/** An instance on the server in the words of the two-machine rule. */
export function holderOf(instance: MacOSInstance): Holder {
  const { namespace = '', name, annotations, creationTimestamp } = instance.metadata;
  const owner = annotations?.[Annotation.RequestedBy];
  const since = tryParseInstant(creationTimestamp);
  return { namespace, name, state: instancePhase(instance), ...(owner === undefined ? {} : { owner }), ...(since === undefined ? {} : { since }) };
}
