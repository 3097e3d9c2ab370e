import * as runtime from '@pulumi/pulumi/runtime';
import type { RegisterResourceRequest } from '@pulumi/pulumi/proto/resource_pb';
import * as settings from '@pulumi/pulumi/runtime/settings';
import { marksOfStack } from '../inputs/owner';
import type { Declared } from '../program/declaration';
import type { ProgramRun } from '../program/program-run';
import { leaseUrn, ownedBy } from './provider-process';
import { Told } from './told';

/** A preview of the stack whose resources `leaseUrn` and `instanceUrn` name. */
export function programRun(log: Told, over: Partial<ProgramRun> = {}): ProgramRun {
  return { isDryRun: true, log, readConfig: () => undefined, checkSecrets: () => undefined, ownerOf: ownedBy, marks: marksOfStack('acme', 'dev', 'demo'), ...over };
}

/** A lease as a program declares it; its resource is called as the lease is. */
export function declaredLease(name: string, over: object = {}): Declared {
  return { kind: 'lease', urn: leaseUrn(name), props: () => ({ name, class: 'base', ...over }) };
}

/** A resource as the engine was asked to register it. */
export interface Registered {
  readonly name: string;
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly deleteBeforeReplace: boolean;
  /** Names of the hooks before its delete. */
  readonly hooks: readonly string[];
  /** Names of what it depends on. */
  readonly dependencies: readonly string[];
}

/** What the engine of a test was asked to register. */
export interface FakeEngine {
  readonly told: Told;
  readonly resources: Registered[];
  /** Names of hooks, in the order they were registered. */
  readonly hooks: string[];
  /** The monitor, by which a run is known. */
  readonly monitor: object;
}

type Answer = (error: null, response: object) => void;

function registered(request: RegisterResourceRequest): Registered {
  return {
    name: request.getName(), type: request.getType(), inputs: request.getObject()?.toJavaScript() ?? {}, deleteBeforeReplace: request.getDeletebeforereplace(),
    hooks: request.getHooks()?.getBeforeDeleteList() ?? [], dependencies: request.getDependenciesList().map((urn) => urn.slice(urn.lastIndexOf('::') + 2)),
  };
}

interface LogRequest { getSeverity(): number; getMessage(): string; getUrn(): string }
interface HookRequest { getName(): string; getOnDryRun(): boolean }

/**
 * Begins a run in this process, of stack `dev` in project `demo` of `acme`: with an engine that takes hooks and messages, and that makes
 * whatever is registered. The monitor of the mocks alone takes no hooks.
 */
export async function beginRun({ isPreview = true, withHooks = true } = {}): Promise<FakeEngine> {
  const told = new Told();
  const hooks: string[] = [];
  await runtime.setMocks({ newResource: ({ inputs, name }) => ({ id: `${name}-id`, state: inputs as object }), call: () => ({}) }, 'demo', 'dev', isPreview, 'acme');
  const monitor = runtime.getMonitor() as unknown as Record<string, unknown>;
  if (withHooks) {
    monitor.registerResourceHook = (request: HookRequest, answer: Answer) => {
      hooks.push(`${request.getName()}${request.getOnDryRun() ? ' in previews' : ''}`);
      answer(null, {});
    };
  }
  const log = (request: LogRequest, answer: Answer): void => {
    void told.say(request.getSeverity() === 3 ? 'error' : 'warning', request.getMessage(), request.getUrn()).then(() => answer(null, {}));
  };
  const resources: Registered[] = [];
  const register = (monitor.registerResource as (request: RegisterResourceRequest, answer: Answer) => void).bind(monitor);
  monitor.registerResource = (request: RegisterResourceRequest, answer: Answer) => {
    if (request.getCustom()) resources.push(registered(request));
    register(request, answer);
  };
  jest.spyOn(settings, 'getEngine').mockReturnValue({ log } as unknown as ReturnType<typeof settings.getEngine>);
  return { told, resources, hooks, monitor };
}

/** Runs a program to its end, as the engine would. */
export async function runProgram(program: () => unknown): Promise<void> {
  await runtime.runInPulumiStack(() => Promise.resolve(program()).then(() => undefined));
  await runtime.disconnect();
}
