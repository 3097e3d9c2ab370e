import { Output, type ResourceHookArgs } from '@pulumi/pulumi';
import type { StoredLease } from '../../core/lease';
import { storedLease } from '../inputs/lease-outputs';

/** A secret reaches a hook as an output, whose value is there. */
function revealed(value: unknown): Promise<unknown> {
  // `promise` is internal to the package.
  return Promise.resolve(Output.isInstance(value) ? (value as unknown as { promise(): Promise<unknown> }).promise() : value);
}

/** The lease of a state as the engine passes it to a hook. @throws Error where the state does not tell which lease it is: it could be any */
export async function leaseInState({ name: resource, oldOutputs }: Pick<ResourceHookArgs, 'name' | 'oldOutputs'>): Promise<StoredLease> {
  const entries = Object.entries((oldOutputs ?? {}) as object);
  const lease = storedLease(Object.fromEntries(await Promise.all(entries.map(async ([field, value]) => [field, await revealed(value)] as const))));
  const missing = (['namespace', 'name', 'uid'] as const).filter((field) => lease[field] === '');
  if (missing.length === 0) return lease;
  throw new Error(`NotChecked: the state of ${resource} does not say which lease it is (${missing.join(', ')}). It stays. Run \`pulumi refresh\`, then run this again.`);
}
