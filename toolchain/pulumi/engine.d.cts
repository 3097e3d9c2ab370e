export interface PulumiEngine {
  readonly command: string;
  readonly version: string;
  /** Folders that come first on the PATH it runs with. */
  readonly path: readonly string[];
}

/** The sentence says why there is no engine. */
export class BuildFault extends Error {}
/** The engine, or the sentence that says why there is none and how to get one. Builds nothing. */
export function lookForEngine(): { readonly engine: PulumiEngine; readonly why?: undefined } | { readonly engine?: undefined; readonly why: string };
/** The engine, built where there is none. @throws BuildFault */
export function buildEngine(): PulumiEngine;
