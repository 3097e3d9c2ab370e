/** The sentence says why tofu cannot be had. */
export class BuildFault extends Error {}
/** Path of the command; undefined unless it is built. Builds nothing. */
export function tryFindTofu(): string | undefined;
/** The same, built where absent. @throws BuildFault */
export function buildTofu(): string;
