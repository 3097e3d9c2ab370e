import type { FunctionSignature } from '../handlers';
import type { Type } from '../schema/types';
import { example, page } from './page';

function typeName(type: Type): string {
  return type.kind === 'object' ? `object({ ${Object.entries(type.attributes).map(([name, { type: of }]) => `${name} = ${typeName(of)}`).join(', ')} })` : type.kind;
}

/** The page of a function, with its signature and its arguments. */
export function functionPage(name: string, { summary, description, parameters, returns }: FunctionSignature, hcl: string): string {
  const signature = `${name}(${parameters.map(({ name: parameter, type }) => `${parameter} ${typeName(type)}`).join(', ')}) ${typeName(returns)}`;
  return page(
    { title: `${name} function - macrack`, description: summary },
    [`# function: ${name}`, '', description],
    example('Example Usage', hcl),
    ['## Signature', '', '```text', signature, '```'],
    ['## Arguments', '', ...parameters.map(({ name: parameter, type, description: of }, index) => `${index + 1}. \`${parameter}\` (${type.kind}) ${of}`)],
  );
}
