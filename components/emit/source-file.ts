import { camel } from './names';

/** The head of each generated file. */
export const HEADER = "// Generated from the provider's schema by components/emit; do not edit.";

/** A TypeScript file under construction: what it imports, and its text. */
export class SourceFile {
  private readonly imports = new Map<string, Set<string>>();
  private readonly parts: string[] = [];
  private readonly classFields: string[] = [];

  /** @param name as it is imported; types are written `type Name` */
  use(module: string, ...names: readonly string[]): void {
    const used = this.imports.get(module) ?? new Set();
    for (const name of names) used.add(name);
    this.imports.set(module, used);
  }

  add(...lines: readonly string[]): void {
    this.parts.push(lines.join('\n'));
  }

  /** A private field of the class that is being written. */
  addField(line: string): void {
    this.classFields.push(line);
  }

  /** The fields so far, with a blank line after them; they belong to the class that is written next. */
  takeFields(): string[] {
    const fields = this.classFields.splice(0);
    return fields.length === 0 ? [] : [...fields, ''];
  }

  get text(): string {
    const lines = [...this.imports].sort(([a], [b]) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || (a < b ? -1 : 1)).map(([module, names]) => importLine(module, names));
    return `${[HEADER, ...lines].join('\n')}\n\n${this.parts.join('\n\n')}\n`;
  }
}

const bare = (name: string): string => name.replace(/^type /, '');

function importLine(module: string, names: ReadonlySet<string>): string {
  const sorted = [...names].sort((a, b) => (bare(a).toLowerCase() < bare(b).toLowerCase() ? -1 : 1));
  const onlyTypes = sorted.every((name) => name.startsWith('type '));
  return onlyTypes ? `import type { ${sorted.map(bare).join(', ')} } from '${module}';` : `import { ${sorted.join(', ')} } from '${module}';`;
}

/** A documentation comment; attributes that a text names are called here as they are in TypeScript. */
export function doc(text: string, indent = ''): string {
  return `${indent}/** ${text.replaceAll(/\b[a-z]+(_[a-z]+)+\b/g, camel).replaceAll('*/', '*\\/')} */`;
}
