import { isForeign, type Declared } from '../declared';

/** Programs that the demo runs, as their reader would write them. */

const IMAGE = '"ghcr.io/acme/macos-sequoia:15.1"';
const SHAPE = '{ cpu: 4, memory: "8Gi", disk: "100Gi" }';

const setting = (name: string, value: string | undefined): string => (value === undefined ? '' : `, ${name}: ${JSON.stringify(value)}`);

function statement(declared: Declared): string {
  const { name } = declared;
  if (declared.kind === 'lease') return `const ${name} = new macrack.MacNodeLease("${name}", { class: "base"${setting('serial', declared.serial)}${setting('onEarlyRelease', declared.onEarlyRelease)} });`;
  const on = isForeign(declared) ? JSON.stringify(declared.lease) : declared.lease;
  return `new macrack.MacOSInstance("${name}", { lease: ${on}, image: ${IMAGE}, shape: ${SHAPE}${setting('namespace', declared.namespace)} });`;
}

/** The text of `index.js`. Its credentials are in the configuration of the stack. */
export function programOf(parts: readonly Declared[]): string {
  return ['const macrack = require("macrack/pulumi");', '', ...parts.map(statement), ''].join('\n');
}
