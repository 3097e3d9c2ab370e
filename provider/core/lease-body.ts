import type { NewObject } from '../../sdk/api/object';
import type { LeaseTarget } from './lease';

/** The object of a lease as it is sent. */
export function leaseBody({ namespace, name, class: className, serial, minimumDuration }: LeaseTarget): NewObject {
  return { metadata: { namespace, name }, spec: { class: className, ...(serial === null ? {} : { serial }), minimumDuration, release: false } };
}
