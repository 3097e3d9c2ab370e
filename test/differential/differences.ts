import { isRecord, type JsonObject } from '../../devplane/json';
import type { Operation } from './operations';

/** A difference between the planes that stays, and why. */
export interface KnownDifference {
  readonly why: string;
  readonly holds: (operation: Operation, real: JsonObject, development: JsonObject) => boolean;
}

const specOf = (operation: Operation): JsonObject => ('body' in operation && isRecord(operation.body.spec) ? operation.body.spec : {});

export const KNOWN: readonly KnownDifference[] = [
  {
    why: 'an admission plugin of Kubernetes refuses a pod without containers before the pod is validated, with a code and a reason that do not belong together',
    holds: (operation, real) => operation.do === 'create' && operation.resource === 'pod' && specOf(operation).containers === undefined && real.code === 403 && real.reason === 'Invalid',
  },
];

/** The reason for which two answers may differ; what comes after in a sequence is not comparable any more. */
export function knownDifference(operation: Operation, real: JsonObject, development: JsonObject): string | undefined {
  return KNOWN.find(({ holds }) => holds(operation, real, development))?.why;
}
