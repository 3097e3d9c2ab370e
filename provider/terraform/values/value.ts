import type { Unknown } from './unknown';

/** A number; a decimal string where a float64 would not be exact (`"123456789012345678901234567890"`, `"0.1"`). */
export type ExactNumber = number | string;

/** Any value of the configuration language, as the codec gives and takes it. Sets are arrays. */
export type Value = null | boolean | string | number | Unknown | readonly Value[] | { readonly [name: string]: Value };
