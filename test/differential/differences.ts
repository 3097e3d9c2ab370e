import type { JsonObject } from '../../devplane/json';
import type { Operation } from './operations';

/** A difference between the planes that stays, and why. */
export interface KnownDifference {
  readonly why: string;
  readonly holds: (operation: Operation, real: JsonObject, development: JsonObject) => boolean;
}

const NO_MUTATING_POLICY = 'the development plane evaluates no mutating policy';

export const KNOWN: readonly KnownDifference[] = [
  {
    why: `a mutating policy adds the taint of an unleased Mac to a node without one: ${NO_MUTATING_POLICY}`,
    holds: ({ resource, do: done }, _real, development) => resource === 'node' && done === 'create' && development.policy === 'p2-node-taints.macrack.static.k8s.io',
  },
  {
    why: `a mutating policy that cannot read what it asks about, a name or a container, refuses with 403 and the reason of a 422: ${NO_MUTATING_POLICY}`,
    holds: ({ resource, do: done }, real) => ['node', 'pod'].includes(resource) && done === 'create' && real.code === 403 && real.reason === 'Invalid',
  },
  {
    why: 'a node may write its taints back as they are, and the node controller of Kubernetes changes them at its own time',
    holds: ({ resource, as }, real, development) => resource === 'node' && as === 'agent' && [200, 403].every((code) => real.code === code || development.code === code),
  },
  {
    why: 'beside a fault of the schema Kubernetes still evaluates some of the rules, the development plane none: both refuse, and both say that not all were checked',
    holds: (_operation, real, development) => real.code === 422 && development.code === 422 && [real, development].every(({ fields }) => Array.isArray(fields) && fields.includes('<nil>')),
  },
];

/** The reason for which two answers may differ; what comes after in a sequence is not comparable any more. */
export function knownDifference(operation: Operation, real: JsonObject, development: JsonObject): string | undefined {
  return KNOWN.find(({ holds }) => holds(operation, real, development))?.why;
}
