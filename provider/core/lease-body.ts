import type { NewObject } from '../../sdk/api/object';
import type { LeaseTarget } from './lease';
import { ownerMark } from './ownership';

/** The object of a lease as it is sent. */
export function leaseBody({ namespace, name, class: className, serial, minimumDuration, owner }: LeaseTarget): NewObject {
  return { metadata: { namespace, name, ...ownerMark(owner) }, spec: { class: className, ...(serial === null ? {} : { serial }), minimumDuration, release: false } };
}
