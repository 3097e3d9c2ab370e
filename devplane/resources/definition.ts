import type { ApiObject, Json } from '../json';
import type { Cause } from '../schema/cause';
import type { Schema } from '../schema/schema';
import type { User } from '../server/user';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** A column of the server-side table; priority above 0 is shown by `-o wide` only. */
export interface Column {
  name: string;
  type: string;
  priority: number;
  description: string;
  /** The cell, or undefined where the object has no such value. `date` columns give an RFC 3339 instant. */
  cell(object: ApiObject): string | number | boolean | undefined;
}

/** Where the server of real Kubernetes has code for one kind, so has the plane. Each step may change `next` in place. */
export interface Strategy {
  /** Runs before mutating webhooks: what decoding and built-in mutating admission would fill. */
  fill?(next: ApiObject, old: ApiObject | undefined, user: User, subresource: string | undefined): void;
  validate?(next: ApiObject, old: ApiObject | undefined): Cause[];
  /** Seconds that a graceful delete takes when nobody asks otherwise; undefined removes at once. */
  gracePeriod?(object: ApiObject): number;
}

/** A resource that is another one under other names: requests are turned inward, objects outward. */
export interface View {
  inward(body: Json | undefined): Json | undefined;
  outward(object: ApiObject): ApiObject;
  /** What is wrong with a new object in the words of this face. */
  faults(body: Json | undefined): Cause[];
}

export interface ResourceDefinition {
  group: string;
  version: string;
  resource: string;
  singular: string;
  kind: string;
  namespaced: boolean;
  shortNames: string[];
  categories: string[];
  verbs: readonly Verb[];
  /** Names of the subresources that are answered. */
  subresources: readonly string[];
  custom: boolean;
  /** Whether `metadata.generation` counts the changes of what is wanted. */
  isCounted: boolean;
  /** Whether a PUT makes the object where it is absent. */
  isMadeByUpdate?: boolean;
  /** Fields that a field selector may name, beside name and namespace. */
  selectable?: readonly string[];
  schema?: Schema;
  /** The CEL rules of the schema. @param isFaulty whether the schema already found a fault at a path. */
  rules?(object: Json, old: Json | undefined, isFaulty: (path: string) => boolean): Cause[];
  columns: Column[];
  /** Whether a table shows the name last, and only when it is wide. */
  isNamedLast?: boolean;
  strategy: Strategy;
  /** The stored resource that this one shows. */
  view?: { of: ResourceDefinition; as: View };
}

export const everyVerb: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

export const qualifiedResource = (definition: { group: string; resource: string }) => (definition.group ? `${definition.resource}.${definition.group}` : definition.resource);
export const storeKey = (definition: { group: string; resource: string }) => `${definition.group}/${definition.resource}`;
export const apiVersionOf = (definition: { group: string; version: string }) => (definition.group ? `${definition.group}/${definition.version}` : definition.version);
