import type { NewObject } from '../../sdk/api/object';
import type { InstanceTarget } from './instance';
import { tryParseId } from './object-id';
import { ownerMark } from './ownership';

/** The object of an instance as it is sent. */
export function instanceBody({ namespace, name, lease, image, shape, running, owner }: InstanceTarget): NewObject {
  return { metadata: { namespace, name, ...ownerMark(owner) }, spec: { leaseName: tryParseId(lease)?.name ?? lease, image, shape: { ...shape }, running } };
}
