import type { AttributePath, Diagnostics } from './diagnostics';
import type { InFlight } from '../core/in-flight';
import type { Log } from './protocol/log';
import type { Planned, Schema, Stored } from './schema/schema';
import type { Type } from './schema/types';
import type { Unknown } from './values/unknown';
import type { Value } from './values/value';

/** What every call of a handler gets beside its request. */
export interface CallContext {
  /** The other calls that Terraform has under way in this process. */
  readonly inFlight: InFlight;
  /** Aborted when Terraform asks the provider to stop, or gives up this call. */
  readonly signal: AbortSignal;
  readonly log: Log;
}

export interface PlanRequest<S extends Schema> {
  /** null: the resource is to be created. */
  readonly prior: Stored<S> | null;
  /** Prior state merged with the configuration; null: the resource is to be destroyed. */
  readonly proposed: Planned<S> | null;
  /** null when the resource is to be destroyed. */
  readonly config: Planned<S> | null;
  /** What the last plan, apply, read or import stored; '' when nothing. */
  readonly private: string;
}

export interface PlanResponse<S extends Schema> {
  /** Must be null exactly when `proposed` is. Attributes that the configuration sets must be returned as they are there. */
  readonly planned: Planned<S> | null;
  /** Attributes whose change needs a replacement. Default none. */
  readonly requiresReplace?: readonly AttributePath[];
  readonly diagnostics?: Diagnostics;
  /** Default: what came in. */
  readonly private?: string;
}

export interface ApplyRequest<S extends Schema> {
  /** null: create. */
  readonly prior: Stored<S> | null;
  /** null: destroy; that may be the first leg of a replacement, which had no plan call of its own. */
  readonly planned: Planned<S> | null;
  readonly config: Planned<S> | null;
  readonly private: string;
}

export interface StateResponse<S extends Schema> {
  /** null: the object is gone, or was never made. With an error on create, a state here is stored as tainted. */
  readonly state: Stored<S> | null;
  readonly diagnostics?: Diagnostics;
  /** Default: what came in. */
  readonly private?: string;
}

export interface ReadRequest<S extends Schema> {
  readonly state: Stored<S>;
  readonly private: string;
}

export interface ImportResponse<S extends Schema> {
  /** null only together with an error. */
  readonly state: Stored<S> | null;
  readonly diagnostics?: Diagnostics;
  readonly private?: string;
}

export interface UpgradeRequest {
  /** Version of the schema that wrote it, lower than the current one. */
  readonly version: number;
  /** The stored attributes, as parsed JSON. */
  readonly state: Readonly<Record<string, unknown>>;
}

/** The life of one resource type. A handler that throws is a bug of the provider and is reported as one. */
export interface ResourceHandler<S extends Schema = Schema> {
  readonly schema: S;
  /** Runs before the provider is configured; sees no server. */
  validate?(config: Planned<S>, ctx: CallContext): Promise<Diagnostics>;
  plan(request: PlanRequest<S>, ctx: CallContext): Promise<PlanResponse<S>>;
  apply(request: ApplyRequest<S>, ctx: CallContext): Promise<StateResponse<S>>;
  read(request: ReadRequest<S>, ctx: CallContext): Promise<StateResponse<S>>;
  /** Absent: the type cannot be imported. */
  import?(id: string, ctx: CallContext): Promise<ImportResponse<S>>;
  /** Needed from schema version 1 on. */
  upgrade?(request: UpgradeRequest, ctx: CallContext): Promise<StateResponse<S>>;
}

export interface DataSourceHandler<S extends Schema = Schema> {
  readonly schema: S;
  validate?(config: Planned<S>, ctx: CallContext): Promise<Diagnostics>;
  /** Called only with a configuration that is wholly known. */
  read(config: Stored<S>, ctx: CallContext): Promise<StateResponse<S>>;
}

/** What a function of the provider takes and gives. */
export interface FunctionSignature {
  readonly summary: string;
  readonly description: string;
  /** In order; none may be null or unknown. */
  readonly parameters: readonly { readonly name: string; readonly type: Type; readonly description: string }[];
  readonly returns: Type;
}

/** What came of a call: a value, or a fault of an argument, counted from 0; the engine ends the sentence with a full stop. */
export type FunctionResult = { readonly value: Exclude<Value, Unknown> } | { readonly fault: string; readonly argument: number };

/** A pure function: it is called without a configuration and reaches no server. */
export interface FunctionHandler {
  readonly signature: FunctionSignature;
  call(values: readonly Value[]): FunctionResult;
}

/** What Terraform says of itself when it configures the provider. */
export interface Caller {
  /** Of terraform or tofu; '' when it does not say. */
  readonly terraformVersion: string;
}

/** Everything that the protocol server asks of MacRack. Keys of the maps are full type names (`macrack_mac_node_lease`). */
export interface ProviderHandlers<S extends Schema = Schema> {
  readonly configSchema: S;
  validateConfig?(config: Planned<S>, ctx: CallContext): Promise<Diagnostics>;
  /** May be called again in one process (reattach): it resets all that was remembered of the run before. */
  configure(config: Planned<S>, caller: Caller, ctx: CallContext): Promise<Diagnostics>;
  readonly resources: Readonly<Record<string, ResourceHandler>>;
  readonly dataSources: Readonly<Record<string, DataSourceHandler>>;
  /** By the names that follow `provider::macrack::`. Default none; engines without provider functions do not ask for them. */
  readonly functions?: Readonly<Record<string, FunctionHandler>>;
  /** Terraform was interrupted: end what is under way soon, and leave nothing half done. */
  stop(): void;
}
