import type { Schema } from '../../provider/terraform/schema/schema';
import { inResource, objectAccessors, settingAccessors, valueAccessors } from './accessors';
import { fileOf } from './names';
import { classOf, configMembers, inputTable } from './object-file';
import { isInput, isRequired, membersOf, tableName, type Member } from './shape';
import { doc, SourceFile } from './source-file';

/** What differs between the constructs of resources and of data sources. */
export interface ConstructKind {
  readonly type: string;
  readonly className: string;
  readonly base: 'MacrackResource' | 'MacrackDataSource';
}

const IMPORT_DOC = 'Has the configuration of an object that exists written at the next plan. `importFromId` is "namespace/name".';

function importable(type: string, file: SourceFile): string[] {
  file.use('cdktf', 'ImportableResource', 'type TerraformProvider');
  return [
    doc(IMPORT_DOC, '  '),
    '  static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: TerraformProvider): ImportableResource {',
    `    return new ImportableResource(scope, importToId, { terraformResourceType: '${type}', importId: importFromId, ...(provider === undefined ? {} : { provider }) });`,
    '  }',
    '',
  ];
}

function constructorOf(config: string, args: string, isOptional: boolean): string[] {
  return [`  constructor(scope: Construct, id: string, config: ${config}${isOptional ? ' = {}' : ''}) {`, `    super(scope, id, ${args});`, '  }', ''];
}

function accessors(members: readonly Member[], file: SourceFile): string[] {
  return members.flatMap((member) => (member.object === undefined ? valueAccessors(member, inResource, file) : objectAccessors(member, file)));
}

function useTables(members: readonly Member[], file: SourceFile): void {
  for (const { object } of members.filter(isInput)) if (object !== undefined) file.use(`./${fileOf(object)}`, tableName(object));
}

/** The file of a resource or of a data source. */
export function constructFile({ type, className, base }: ConstructKind, { description, attributes }: Schema): string {
  const file = new SourceFile();
  const members = membersOf(className, attributes);
  file.use('constructs', 'type Construct');
  file.use('cdktf', 'type TerraformMetaArguments');
  file.use(base === 'MacrackResource' ? '../base/macrack-resource' : '../base/macrack-data-source', base);
  useTables(members, file);
  file.add(doc(description), `export interface ${className}Config extends TerraformMetaArguments {`, ...configMembers(members, file), '}');
  file.add(...inputTable('INPUTS', members, file));
  const written = accessors(members, file);
  file.add(doc(description), ...classOf(`export class ${className} extends ${base}<${className}Config>`, [
    `  static readonly tfResourceType = '${type}';`, '', ...file.takeFields(),
    ...(base === 'MacrackResource' ? importable(type, file) : []),
    ...constructorOf(`${className}Config`, `${className}.tfResourceType, INPUTS, config`, !members.some(isRequired)), ...written,
  ]));
  return file.text;
}

/** The file of the provider. */
export function providerFile({ description, attributes }: Schema): string {
  const file = new SourceFile();
  const members = membersOf('MacrackProvider', attributes);
  file.use('constructs', 'type Construct');
  file.use('../base/macrack-provider-base', 'MacrackProviderBase');
  useTables(members, file);
  file.add(doc(description), 'export interface MacrackProviderConfig {', ...configMembers(members, file),
    doc('Name of this configuration of the provider, where a stack has several.', '  '), '  readonly alias?: string;', '}');
  file.add(...inputTable('INPUTS', members, file));
  file.add(doc(description), ...classOf('export class MacrackProvider extends MacrackProviderBase<MacrackProviderConfig>', [
    "  static readonly tfResourceType = 'macrack';", '',
    ...constructorOf('MacrackProviderConfig', 'INPUTS, config', true),
    ...members.flatMap((member) => settingAccessors(member, file)),
  ]));
  return file.text;
}
