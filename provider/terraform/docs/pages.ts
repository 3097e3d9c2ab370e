import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderHandlers } from '../handlers';
import type { Schema } from '../schema/schema';
import { functionPage } from './function-page';
import { example, page } from './page';
import { schemaSection } from './schema-section';

/** Where the generator reads and writes, from the root of the package. */
export const DOCS = join('docs', 'terraform');
const EXAMPLES = join('examples', 'terraform');
const NOTES = join('provider', 'terraform', 'docs', 'notes');

/** Pages by their path under `docs/terraform`. */
export type Pages = Readonly<Record<string, string>>;

interface Source {
  readonly root: string;
}

const read = ({ root }: Source, ...path: readonly string[]): string => (existsSync(join(root, ...path)) ? readFileSync(join(root, ...path), 'utf8') : '');

const notes = (source: Source, name: string): string[] => read(source, NOTES, `${name}.md`).split('\n');

function typePage(source: Source, kind: 'Resource' | 'Data Source', type: string, { description, ...schema }: Schema): string {
  const folder = kind === 'Resource' ? 'resources' : 'data-sources';
  const imported = read(source, EXAMPLES, folder, type, 'import.tf');
  return page(
    { title: `${type} ${kind} - macrack`, description },
    [`# ${type} (${kind})`, '', description],
    example('Example Usage', read(source, EXAMPLES, folder, type, kind === 'Resource' ? 'resource.tf' : 'data-source.tf')),
    schemaSection({ description, ...schema }),
    example('Import', imported),
    notes(source, kind === 'Resource' ? type : ''),
  );
}

function providerPage(source: Source, { description, ...schema }: Schema): string {
  return page(
    { title: 'Provider: MacRack', description },
    ['# MacRack Provider', '', description],
    example('Example Usage', read(source, EXAMPLES, 'provider', 'provider.tf')),
    schemaSection({ description, ...schema }),
    notes(source, 'provider'),
  );
}

const short = (type: string): string => type.replace(/^macrack_/, '');

/** Every page, in the layout of the registry. `root` is that of the package. */
export function pagesOf({ configSchema, resources, dataSources, functions = {} }: ProviderHandlers, root: string): Pages {
  const source = { root };
  return Object.fromEntries([
    ['index.md', providerPage(source, configSchema)],
    ...Object.entries(resources).map(([type, { schema }]) => [`resources/${short(type)}.md`, typePage(source, 'Resource', type, schema)]),
    ...Object.entries(dataSources).map(([type, { schema }]) => [`data-sources/${short(type)}.md`, typePage(source, 'Data Source', type, schema)]),
    ...Object.entries(functions).map(([name, { signature }]) => [`functions/${name}.md`, functionPage(name, signature, read(source, EXAMPLES, 'functions', name, 'function.tf'))]),
  ]) as Pages;
}
