import type { FunctionHandler } from '../handlers';
import type { DynamicValue } from '../values/dynamic-value';
import { decodeValue, encodeValue } from '../values/codec';
import type { Session } from './session';
import { reasonOf } from './wire-diagnostics';

interface CallFunction {
  readonly name: string;
  readonly arguments: readonly DynamicValue[];
}

function answer(handler: FunctionHandler, values: readonly DynamicValue[]): object {
  const { signature } = handler;
  const result = handler.call(values.map((value, index) => decodeValue(value, typeAt(signature, index))));
  return 'value' in result ? { result: encodeValue(result.value, signature.returns) } : { error: { text: result.fault, function_argument: result.argument } };
}

function typeAt({ parameters }: FunctionHandler['signature'], index: number) {
  const parameter = parameters[index];
  if (parameter === undefined) throw new Error(`the call came with ${index + 1} arguments, and the function takes ${parameters.length}`);
  return parameter.type;
}

/** This answer has no diagnostics: what is wrong goes out as an error of the function. */
export function callFunction(session: Session, { name, arguments: values }: CallFunction): object {
  const handler = session.handlers.functions?.[name];
  if (handler === undefined) return { error: { text: `this provider has no function "${name}"` } };
  try {
    return answer(handler, values);
  } catch (error) {
    session.log('error', `CallFunction ${name} failed: ${reasonOf(error)}`);
    return { error: { text: `Bug in the MacRack provider: ${reasonOf(error)}` } };
  }
}
