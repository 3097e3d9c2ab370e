import { macrackProvider } from '../../provider/terraform/provider';
import type { Attributes } from '../../provider/terraform/schema/attributes';
import type { Schema } from '../../provider/terraform/schema/schema';
import { constructFile, providerFile, type ConstructKind } from './construct-file';
import { dataSourceClass, fileOf, resourceClass } from './names';
import { objectFile } from './object-file';
import { membersOf, objectOf } from './shape';
import { HEADER } from './source-file';

type Files = Readonly<Record<string, string>>;

/** The files of the objects inside `attributes`, and of those inside them. */
function objectFiles(owner: string, attributes: Attributes, isReferred = true): Files {
  return Object.assign({}, ...membersOf(owner, attributes).map(({ attribute: { type, description }, object }): Files => {
    const inner = objectOf(type);
    if (inner === undefined || object === undefined) return {};
    const reference = !isReferred ? 'none' : type.kind === 'list' ? 'element' : 'attribute';
    return { [fileOf(object)]: objectFile(object, inner, description, reference), ...objectFiles(object, inner, isReferred) };
  })) as Files;
}

function ofConstruct(kind: ConstructKind, schema: Schema): Files {
  return { [fileOf(kind.className)]: constructFile(kind, schema), ...objectFiles(kind.className, schema.attributes) };
}

/** What users import of a file; its table of inputs stays inside. */
function exportsOf(file: string, text: string): string {
  const names = [...text.matchAll(/^export (class|interface) (\w+)/gm)].map(([, what, name]) => (what === 'class' ? name : `type ${name}`));
  return `export { ${names.join(', ')} } from './${file}';`;
}

/** Bindings and provider are of one release; a later patch of the provider will do. */
function versionFile(version: string): string {
  return `${HEADER}\n\n/** Versions of the provider that the bindings are for, as Terraform writes a constraint. */\nexport const PROVIDER_VERSION = '~> ${version}';\n`;
}

/** Every file of the bindings with its text, by its name without the extension. @param version of the package */
export function bindings(version: string): Files {
  const { configSchema, resources, dataSources } = macrackProvider();
  const files: Files = Object.assign(
    { 'macrack-provider': providerFile(configSchema) }, objectFiles('MacrackProvider', configSchema.attributes, false),
    ...Object.entries(resources).map(([type, { schema }]) => ofConstruct({ type, className: resourceClass(type), base: 'MacrackResource' }, schema)),
    ...Object.entries(dataSources).map(([type, { schema }]) => ofConstruct({ type, className: dataSourceClass(type), base: 'MacrackDataSource' }, schema)),
  ) as Files;
  const index = Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, text]) => exportsOf(file, text)).join('\n');
  return { ...files, 'provider-version': versionFile(version), index: `${HEADER}\n${index}\n` };
}
