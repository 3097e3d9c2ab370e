import { isKnown } from '../../../sdk/rules/unknown';
import type { Session } from '../resources/session';

/** The namespace of a data source that names none; '' while the provider's is unknown, which a read then cannot be. */
export function defaultNamespace({ namespace }: Session): string {
  return isKnown(namespace) ? namespace : '';
}
