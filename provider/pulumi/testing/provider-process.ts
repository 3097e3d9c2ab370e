import type { ControlPlane } from '../../../sdk/client/control-plane';
import { Scene } from '../../core/testing/scene';
import type { ConfigKey } from '../config';
import { providers, type ResourceProvider } from '../methods/provider-process';
import { Told } from './told';

/** One process of the engine's dynamic provider, with a plane in memory behind it. */
export interface ProviderProcess {
  readonly lease: ResourceProvider;
  readonly instance: ResourceProvider;
  readonly told: Told;
}

/** What the engine passes to `configure`. */
export function request(values: Partial<Record<ConfigKey, string>> = {}): Parameters<ResourceProvider['configure']>[0] {
  return { config: { get: (key: string) => values[key.replace('macrack:', '') as ConfigKey] } };
}

/** A process that is configured. What it has seen it does not ask again: take a new one for the next run. */
export function startProvider(scene: Scene = new Scene(), plane: ControlPlane = scene.plane): ProviderProcess {
  const told = new Told();
  const both = providers({ connect: () => Promise.resolve(plane), timers: scene.timers }, told);
  both.lease.configure(request());
  both.instance.configure(request());
  return { ...both, told };
}

const STACK = 'urn:pulumi:dev::demo::pulumi-nodejs:dynamic/macrack';

export const leaseUrn = (name = 'l1'): string => `${STACK}:MacNodeLease::${name}`;
export const instanceUrn = (name: string): string => `${STACK}:MacOSInstance::${name}`;

/** The input `owner` of a resource. */
export const ownedBy = (urn: string): string => `acme/${urn}`;

/** The mark that an object of it has. */
export const markOf = (urn: string): string => `pulumi:${ownedBy(urn)}`;

/** Inputs of a lease as they reach `check`. */
export const leaseProps = (over: object = {}): Record<string, unknown> => ({ name: 'l1', class: 'base', owner: ownedBy(leaseUrn()), ...over });

/** Inputs of an instance as they reach `check`. */
export const instanceProps = (name: string, over: object = {}): Record<string, unknown> =>
  ({ name, lease: 'team-a/l1', image: 'acme/macos:15', shape: { cpu: 4, memory: '8Gi', disk: '100Gi' }, owner: ownedBy(instanceUrn(name)), ...over });
