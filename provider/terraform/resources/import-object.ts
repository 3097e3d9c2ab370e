import type { Kind, KubeObject } from '../../../sdk/api/object';
import type { Core } from '../../core/core';
import { lookOf } from '../../core/facts';
import { essentialFault } from '../../core/fault-findings';
import { failure, type Finding, type ManagedKind } from '../../core/finding';
import { tryParseId } from '../../core/object-id';
import { toDiagnostics } from './finding-diagnostics';

interface Imported<State> {
  readonly state: State | null;
  readonly diagnostics: ReturnType<typeof toDiagnostics>;
}

const failed = <State>(finding: Finding): Imported<State> => ({ state: null, diagnostics: toDiagnostics([finding]) });

/** Finds the object that an import names by its id. */
export async function findForImport<T extends KubeObject, State>(core: Core, kind: Kind<T>, what: ManagedKind, id: string, stateOf: (object: T) => State): Promise<Imported<State>> {
  const named = tryParseId(id);
  if (named === undefined) return failed(failure('InvalidValue', '', `${JSON.stringify(id)} is no id of a ${what}`, `The id of a ${what} is "namespace/name", for example "team-a/ci". Write it so.`));
  const look = await lookOf(core.plane, (plane) => plane.tryGet(kind, named));
  if (!look.seen) return failed(essentialFault(look.error, `import ${what} ${id}`));
  if (look.value === null) return failed(failure('InvalidValue', '', `there is no ${what} ${id}`, `Namespace ${named.namespace} has no ${what} of the name ${named.name}. \`kubectl get ${kind.plural} -n ${named.namespace}\` lists them.`));
  return { state: stateOf(look.value), diagnostics: [] };
}
