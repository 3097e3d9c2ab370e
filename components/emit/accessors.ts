import type { Type } from '../../provider/terraform/schema/types';
import { accessor, fileOf, pascal } from './names';
import { inputType, isInput, isRequired, type Member } from './shape';
import { doc, type SourceFile } from './source-file';

const METHODS: Partial<Record<Type['kind'], readonly [method: string, type: string]>> = {
  string: ['getStringAttribute', 'string'], number: ['getNumberAttribute', 'number'], bool: ['getBooleanAttribute', 'boolean | IResolvable'],
  list: ['getListAttribute', 'string[]'], map: ['getStringMapAttribute', '{ [key: string]: string }'],
};

function reader(kind: Type['kind']): readonly [method: string, type: string] {
  const found = METHODS[kind];
  if (found === undefined) throw new Error(`the bindings have no reference to a value of kind ${kind}: add it to components/emit`);
  return found;
}

/** How an owner keeps its inputs: a resource in `inputs`, an object in its slot. */
export interface Keeping {
  readonly get: (name: string) => string;
  readonly put: (name: string, value: string) => string;
}

export const inResource: Keeping = { get: (name) => `this.inputs.get('${name}')`, put: (name, value) => `this.inputs.put('${name}', ${value})` };
export const inObject: Keeping = { get: (name) => `this.member('${name}')`, put: (name, value) => `this.putMember('${name}', ${value})` };

const body = (head: string, statement: string): string[] => [`  ${head} {`, `    ${statement};`, '  }', ''];

function writers(member: Member, keeping: Keeping, file: SourceFile, extra = ''): string[] {
  const { name } = member;
  const type = inputType(member, file);
  return [
    ...body(`set ${accessor(member.terraformName)}(value: ${type}${extra})`, keeping.put(name, 'value')),
    ...(isRequired(member) ? [] : body(`reset${pascal(member.terraformName)}(): void`, keeping.put(name, 'undefined'))),
    ...body(`get ${name}Input(): ${type} | undefined`, `return ${keeping.get(name)}`),
  ];
}

/** A value that is no object: a token to read it, and what sets it. */
export function valueAccessors(member: Member, keeping: Keeping, file: SourceFile): string[] {
  const { attribute: { type, description }, terraformName } = member;
  const [method, of] = reader(type.kind);
  if (type.kind === 'bool') file.use('cdktf', 'type IResolvable');
  return [
    doc(description, '  '),
    ...body(`get ${accessor(terraformName)}(): ${of}`, `return this.${method}('${terraformName}')`),
    ...(isInput(member) ? writers(member, keeping, file) : []),
  ];
}

/** An attribute of the provider, which nothing refers to: what was set is what is read. */
export function settingAccessors(member: Member, file: SourceFile): string[] {
  const { attribute: { description }, name } = member;
  return [
    doc(description, '  '),
    ...body(`get ${name}(): ${inputType(member, file)} | undefined`, `return ${inResource.get(name)}`),
    ...writers(member, inResource, file, ' | undefined'),
  ];
}

/** An object: a reference to reach its members by, and what sets it as a whole. */
export function objectAccessors(member: Member, file: SourceFile): string[] {
  const { attribute: { description, type }, name, terraformName, object = '' } = member;
  const isList = type.kind === 'list';
  const reference = `${object}${isList ? 'List' : 'OutputReference'}`;
  file.use(`./${fileOf(object)}`, reference);
  const more = isList ? ', false' : isInput(member) ? `, this.inputs.slot('${name}')` : '';
  file.addField(`  private readonly ${name}Reference = new ${reference}(this, '${terraformName}'${more});`);
  const put = isInput(member) ? objectWriters(member, file) : [];
  return [doc(description, '  '), ...body(`get ${accessor(terraformName)}(): ${reference}`, `return this.${name}Reference`), ...put];
}

function objectWriters(member: Member, file: SourceFile): string[] {
  const { name, object = '', terraformName } = member;
  file.use('cdktf', 'type IResolvable');
  file.use(`./${fileOf(object)}`, `type ${object}`);
  return [
    ...body(`put${pascal(terraformName)}(value: ${object}): void`, `this.${name}Reference.internalValue = value`),
    ...(isRequired(member) ? [] : body(`reset${pascal(terraformName)}(): void`, `this.${name}Reference.internalValue = undefined`)),
    ...body(`get ${name}Input(): ${object} | IResolvable | undefined`, `return this.${name}Reference.internalValue`),
  ];
}
