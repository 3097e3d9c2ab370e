import type { Call } from '../core/core';

/** A call of the engine: it is never interrupted through this process, and waits for no other call. */
export const ALONE: Call = { signal: new AbortController().signal, waiting: 0, quiet: () => Promise.resolve('quiet') };
