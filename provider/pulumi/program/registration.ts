import { Output, type CustomResourceOptions, type Resource } from '@pulumi/pulumi';
import type { ManagedKind } from '../../core/finding';
import { withheldInput } from '../inputs/owner';
import { collectorOf } from './collector';
import { plainArguments, type Declared } from './declaration';
import { currentEngine } from './engine';
import type { ProgramRun } from './program-run';
import { urnOf } from './urn';
import { whyWithheld } from './withheld';

/** A resource of ours before the engine knows it. */
export interface Registration {
  /** What the engine gets as `owner`: it comes once the group of the resource has been judged. */
  readonly owner: Promise<string> | undefined;
  /** The lease of an instance as the engine gets it. One that the program names by a text and declares itself is made first. */
  readonly lease: (given: unknown) => unknown;
  /** Ties the resource object to what was declared. */
  readonly name: (resource: Resource) => void;
}

const NONE: Registration = { owner: undefined, lease: (given) => given, name: () => undefined };

/** Takes a resource of the program in. Nothing is judged outside a run, under mocks, and for a resource that is only read. */
export function register(kind: ManagedKind, type: string, name: string, args: Readonly<Record<string, unknown>>, opts: CustomResourceOptions | undefined, lease?: Resource): Registration {
  const engine = currentEngine();
  if (engine === undefined || opts?.id !== undefined) return NONE;
  const declared: Declared = { kind, urn: urnOf(name, type, opts?.parent), props: plainArguments(args), ignored: opts?.ignoreChanges ?? [], ...(lease === undefined ? {} : { lease }) };
  const collector = collectorOf(engine);
  // Thrown here it is the program's own error; in an input, the engine would wrap it once for each resource.
  collector.run.checkSecrets();
  const judged = collector.declare(declared);
  const owner = judged.then(() => ownerOrRefusal(collector.run, declared));
  // The engine's own call waits for it too, and fails with it.
  owner.catch(() => undefined);
  const named = (text: unknown): unknown => (typeof text === 'string' ? owner.then(() => collector.leaseNamed(text)).then((found) => leaseIdOf(found) ?? text) : text);
  return {
    owner,
    lease: (given) => (lease === undefined && Output.isInstance(given) ? given.apply(named) : named(given)),
    name: (resource) => collector.name(resource, declared),
  };
}

// A preview makes nothing, and shows more of the program when only what is at fault is refused.
function ownerOrRefusal({ isDryRun, ownerOf }: ProgramRun, declared: Declared): string {
  const why = isDryRun ? undefined : whyWithheld(declared);
  return why === undefined ? ownerOf(declared.urn) : withheldInput(why);
}

const leaseIdOf = (lease: Resource | undefined): unknown => (lease as { readonly leaseId?: unknown } | undefined)?.leaseId;
