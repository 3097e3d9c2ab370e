import { runtime } from '@pulumi/pulumi';
import type { RegisterResourceRequest } from '@pulumi/pulumi/proto/resource_pb';
import type { Vm } from '../../components/pulumi';

/** A virtual machine that is right, to be changed. */
export const VM: Vm = { image: 'ghcr.io/acme/macos-sequoia:15.1', shape: { cpu: 4, memory: '8Gi', disk: '100Gi' } };

/** What JavaScript may hand over where TypeScript would not let it. */
export const anything = (value: unknown): never => value as never;

/** A resource as the program registers it. */
export interface Registered {
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Type and name of each resource above it, from the outermost. */
  readonly parent: string;
  readonly dependencies: readonly string[];
  readonly protect: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly aliases: number;
}

const nameIn = (urn: string): string => urn.slice(urn.lastIndexOf('::') + 2);

function registered(request: RegisterResourceRequest, inputs: Readonly<Record<string, unknown>>): Registered {
  return {
    type: request.getType(), inputs, parent: nameIn(request.getParent()), dependencies: request.getDependenciesList().map(nameIn),
    protect: request.getProtect() === true, deleteBeforeReplace: request.getDeletebeforereplace(), aliases: request.getAliasesList().length,
  };
}

/**
 * Runs a program as its unit test does, in which a resource reports what it was given. @returns what it registered, by name
 * @param config of the stack by full keys
 */
export async function mocked(program: () => unknown, config: Readonly<Record<string, string>> = { 'macrack:namespace': 'team-a' }): Promise<Readonly<Record<string, Registered>>> {
  const inputs = new Map<string, Readonly<Record<string, unknown>>>();
  runtime.setAllConfig(config);
  await runtime.setMocks({
    newResource({ name, inputs: given }) {
      inputs.set(name, given as Record<string, unknown>);
      return { id: `${name}-id`, state: given as Record<string, unknown> };
    },
    call: ({ inputs: given }) => given as Record<string, unknown>,
  });
  const monitor = runtime.getMonitor() as unknown as { registerResource(request: RegisterResourceRequest, done: unknown): void };
  const spy = jest.spyOn(monitor, 'registerResource');
  await runtime.runInPulumiStack(() => Promise.resolve(program()).then(() => undefined));
  await runtime.disconnect();
  const requests = spy.mock.calls.map(([request]) => request).filter((request) => request.getType() !== 'pulumi:pulumi:Stack');
  return Object.fromEntries(requests.map((request) => [request.getName(), registered(request, inputs.get(request.getName()) ?? {})]));
}

/** The error that a program ends with. */
export async function refusalOf(program: () => unknown, config?: Readonly<Record<string, string>>): Promise<Error> {
  let caught: unknown;
  await mocked(() => {
    try {
      program();
    } catch (error) {
      caught = error;
    }
  }, config);
  if (!(caught instanceof Error)) throw new Error('nothing was refused');
  return caught;
}
