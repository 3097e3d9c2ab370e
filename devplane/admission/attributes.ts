import type { ApiObject, Json } from '../json';
import type { Call } from '../verbs/call';

/** A write as admission sees it. */
export interface Attributes {
  call: Call;
  operation: 'CREATE' | 'UPDATE' | 'DELETE';
  object?: ApiObject;
  oldObject?: ApiObject;
  options?: Json;
  dryRun: boolean;
}
