import type { NewObject } from '../../sdk/api/object';
import type { InstanceTarget } from './instance';
import { tryParseId } from './object-id';

/** The object of an instance as it is sent. */
export function instanceBody({ namespace, name, lease, image, shape, running }: InstanceTarget): NewObject {
  return { metadata: { namespace, name }, spec: { leaseName: tryParseId(lease)?.name ?? lease, image, shape: { ...shape }, running } };
}
