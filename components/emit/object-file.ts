import type { Attributes } from '../../provider/terraform/schema/attributes';
import { inObject, objectAccessors, valueAccessors } from './accessors';
import { inputType, isInput, isRequired, membersOf, tableEntry, tableName, type Member } from './shape';
import { doc, SourceFile } from './source-file';

/** The members of a configuration interface, each with its documentation. */
export function configMembers(members: readonly Member[], file: SourceFile): string[] {
  return members.filter(isInput).flatMap((member) => [
    doc(member.attribute.description, '  '),
    `  readonly ${member.name}${isRequired(member) ? '' : '?'}: ${inputType(member, file)};`,
  ]);
}

/** The inputs as data, for rendering and for the checks. */
export function inputTable(constant: string, members: readonly Member[], file: SourceFile): string[] {
  const entries = members.filter(isInput).map(tableEntry);
  file.use('../base/attributes', 'type AttributeTable', ...entries.map((entry) => /: (\w+)\(/.exec(entry)?.[1] ?? ''));
  return [`const ${constant}: AttributeTable = {`, ...entries, '};'];
}

const withoutLastBlank = (lines: readonly string[]): readonly string[] => (lines.at(-1) === '' ? lines.slice(0, -1) : lines);

/** A class of `lines`. */
export function classOf(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...withoutLastBlank(lines), '}'];
}

function referenceMembers(members: readonly Member[], file: SourceFile): string[] {
  const accessors = members.flatMap((member) => (member.object === undefined ? valueAccessors(member, inObject, file) : objectAccessors(member, file)));
  return [...file.takeFields(), ...accessors];
}

function listClass(name: string, file: SourceFile): string[] {
  file.use('cdktf', 'ComplexList');
  return classOf(`export class ${name}List extends ComplexList`, [
    doc('The element at `index`, from 0.', '  '),
    `  get(index: number): ${name}OutputReference {`,
    `    return new ${name}OutputReference(this.terraformResource, this.terraformAttribute, index, this.wrapsSet);`,
    '  }',
  ]);
}

/** How an object is referred to: by its attribute, as an element of a list, or not at all, which is so for the provider's. */
export type Reference = 'attribute' | 'element' | 'none';

function references(name: string, members: readonly Member[], reference: Exclude<Reference, 'none'>, file: SourceFile): string[] {
  const base = reference === 'element' ? 'ElementReference' : `ObjectReference<${members.some(isInput) ? name : 'object'}>`;
  file.use('../base/object-reference', base.replace(/<.*/, ''));
  return classOf(`export class ${name}OutputReference extends ${base}`, referenceMembers(members, file));
}

/** The file of an object: its interface, its table where it can be set, and its references. */
export function objectFile(name: string, attributes: Attributes, description: string, reference: Reference): string {
  const file = new SourceFile();
  const members = membersOf(name, attributes);
  const inputs = members.filter(isInput);
  if (inputs.length > 0) file.add(doc(description), `export interface ${name} {`, ...configMembers(members, file), '}');
  if (inputs.length > 0) file.add(...inputTable(tableName(name), members, file).map((line, at) => (at === 0 ? `export ${line}` : line)));
  if (reference !== 'none') file.add(...(inputs.length > 0 ? [] : [doc(description)]), ...references(name, members, reference, file));
  if (reference === 'element') file.add(...listClass(name, file));
  return file.text;
}
