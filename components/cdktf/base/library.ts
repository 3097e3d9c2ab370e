import { TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';

/** Where jsii writes what a class is and of which library. */
const JSII = Symbol.for('jsii.rtti');

const LIBRARIES: readonly string[] = ['cdktf', 'cdktn'];

/** The library of the nearest class that says one; undefined for a class of neither. */
function libraryOf(prototype: object | null): string | undefined {
  if (prototype === null) return undefined;
  const said = (prototype.constructor as { readonly [JSII]?: { readonly fqn: string } })[JSII]?.fqn.split('.')[0];
  return said !== undefined && LIBRARIES.includes(said) ? said : libraryOf(Object.getPrototypeOf(prototype) as object | null);
}

/** The library that these constructs build on: `cdktf` or `cdktn`. */
export const LIBRARY = libraryOf(TerraformStack.prototype) ?? 'cdktf';

/**
 * Refuses a scope of the other library. Such an app compiles, since the two have the same types, and would end in a synth with
 * "is not a function". Throws Error.
 */
export function refuseOtherLibrary(scope: IConstruct, what: string): void {
  for (const construct of scope.node.scopes) {
    const other = libraryOf(Object.getPrototypeOf(construct) as object);
    if (other === undefined || other === LIBRARY) continue;
    throw new Error(`${what} of "macrack/${LIBRARY}" builds on ${LIBRARY}, and ${construct.node.path === '' ? 'the app' : construct.node.path} is of ${other}: constructs of the two do not mix in one app. `
      + `Import from "macrack/${other}" here, or make the app and its stacks with ${LIBRARY}.`);
  }
}
