import { IMAGE_PATTERN, LONGEST_IMAGE } from '../../sdk/api/image';
import { tryParseQuantity } from '../../sdk/api/quantity';
import { isKnown, type Maybe } from '../../sdk/rules/unknown';
import { failure, type Findings } from './finding';
import { checkName, checkNamespace } from './name-check';
import { tryParseId } from './object-id';
import type { Wording } from './wording';

/** What can be said of an instance's inputs without asking anybody. null: not set. */
export interface InstanceText {
  readonly namespace: Maybe<string | null>;
  readonly name: Maybe<string>;
  readonly lease: Maybe<string>;
  readonly image: Maybe<string>;
  /** `cpu` is what was written: 4, or a fraction that is not allowed. */
  readonly shape: Maybe<{ readonly cpu: Maybe<number>; readonly memory: Maybe<string>; readonly disk: Maybe<string> }>;
}

const MOST_CORES = 256;

function checkLease(lease: Maybe<string>, wording: Wording): Findings {
  if (!isKnown(lease) || tryParseId(lease) !== undefined) return [];
  return [failure('InvalidValue', 'lease', `${JSON.stringify(lease)} names no lease`, `A lease is named by its id, "namespace/name", for example ${wording.leaseExample}. Write it so.`)];
}

function checkImage(image: Maybe<string>): Findings {
  if (!isKnown(image) || (image.length <= LONGEST_IMAGE && IMAGE_PATTERN.test(image))) return [];
  const what = image.length > LONGEST_IMAGE ? `the image reference has ${image.length} characters` : `${JSON.stringify(image)} is no image reference`;
  return [failure('InvalidValue', 'image', what, `An image is an OCI reference of at most ${LONGEST_IMAGE} characters, [registry/]path[:tag][@digest], for example "ghcr.io/acme/macos-sequoia:15.1". Write it so.`)];
}

function checkCores(cpu: Maybe<number>): Findings {
  if (!isKnown(cpu) || (Number.isInteger(cpu) && cpu >= 1 && cpu <= MOST_CORES)) return [];
  return [failure('InvalidValue', 'shape.cpu', `${cpu} is no number of cores`, `cpu is a whole number of cores from 1 to ${MOST_CORES}, for example 4. Millicores and fractions do not exist for a virtual Mac.`)];
}

function checkBytes(value: Maybe<string>, dimension: 'memory' | 'disk', example: string): Findings {
  if (!isKnown(value) || tryParseQuantity(value) !== undefined) return [];
  return [failure('InvalidValue', `shape.${dimension}`, `${JSON.stringify(value)} is no size of ${dimension}`, `${dimension} is a quantity of whole bytes above zero, a number with an optional unit Ki, Mi, Gi, Ti, Pi, k, M, G, T or P, for example "${example}". Write it so.`)];
}

function checkShape(shape: InstanceText['shape']): Findings {
  if (!isKnown(shape)) return [];
  return [...checkCores(shape.cpu), ...checkBytes(shape.memory, 'memory', '8Gi'), ...checkBytes(shape.disk, 'disk', '100Gi')];
}

/** Every fault of the inputs, each with what is allowed and what to do. */
export function checkInstance(instance: InstanceText, wording: Wording): Findings {
  return [
    ...checkNamespace(instance.namespace), ...checkName(instance.name, 'instance'), ...checkLease(instance.lease, wording),
    ...checkImage(instance.image), ...checkShape(instance.shape),
  ];
}
