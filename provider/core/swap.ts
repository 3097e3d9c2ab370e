import type { KubeObject } from '../../sdk/api/object';
import { isFault } from '../../sdk/client/errors';

const ATTEMPTS = 8;

/**
 * Reads, decides, writes with the preconditions of what was read, and begins again when somebody else was quicker. Ends with the
 * Conflict after a bounded number of attempts. `write` gets the newest object; undefined from it means that nothing is to be done.
 */
export async function compareAndSwap<T extends KubeObject>(read: () => Promise<T | null>, write: (object: T) => Promise<T> | undefined): Promise<T | null> {
  for (let attempt = 1; ; attempt += 1) {
    const object = await read();
    if (object === null) return null;
    try {
      return await write(object) ?? object;
    } catch (error) {
      if (!isFault(error, 'Conflict') || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The preconditions of a write over what was read. */
export function preconditionsOf({ metadata }: KubeObject): { readonly uid: string; readonly resourceVersion: string } {
  return { uid: metadata.uid, resourceVersion: metadata.resourceVersion };
}
