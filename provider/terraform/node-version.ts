/* eslint-disable no-var -- an old Node must be able to read this before it is told what is needed */

/** As in the package's `engines`. */
export const NEEDED_NODE = '22.19';

/** The sentence for the user when this Node cannot run the provider; undefined when it can. In old syntax, as is `main.ts`. */
export function unfitNode(version: string, needed: string): string | undefined {
  var have = version.split('.').map(Number);
  var need = needed.split('.').map(Number);
  for (var i = 0; i < need.length; i++) {
    if (Number(have[i]) > Number(need[i])) return undefined;
    if (!(Number(have[i]) >= Number(need[i]))) {
      return 'terraform-provider-macrack needs Node ' + needed + ' or later and was started with Node ' + version + '.';
    }
  }
  return undefined;
}
