/** Statements of a program, one a resource. A variable has the name of its resource, with underscores. */

type Fields = Readonly<Record<string, unknown>>;

const variable = (name: string): string => name.replaceAll(/\W/g, '_');

/** Fields as code; functions of it, such as a variable, are written with `code`. */
function written(fields: Fields): string {
  const entries = Object.entries(fields).map(([key, value]) => `${key}: ${value instanceof Code ? value.text : JSON.stringify(value)}`);
  return `{ ${entries.join(', ')} }`;
}

class Code {
  constructor(readonly text: string) {}
}

/** An expression that is written as it stands. */
export function code(text: string): unknown {
  return new Code(text);
}

/** A lease of class base. @param options of the resource, such as `protect` */
export function lease(name: string, args: Fields = {}, options: Fields = {}): string {
  return `const ${variable(name)} = new macrack.MacNodeLease(${JSON.stringify(name)}, ${written({ class: 'base', ...args })}, ${written(options)});`;
}

export const IMAGE = 'ghcr.io/acme/macos-sequoia:15.1';

/** Small enough that two fit any Mac. */
export const SHAPE = { cpu: 2, memory: '4Gi', disk: '40Gi' };

/** An instance on the lease of that name, which the same program declares before it. */
export function instance(name: string, leaseName: string, args: Fields = {}, options: Fields = {}): string {
  return `const ${variable(name)} = new macrack.MacOSInstance(${JSON.stringify(name)}, ${written({ lease: code(variable(leaseName)), image: IMAGE, shape: SHAPE, ...args })}, ${written(options)});`;
}
