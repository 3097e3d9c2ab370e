import type { AttributePath } from '../diagnostics';
import type { Schema } from '../schema/schema';
import type { Type } from '../schema/types';
import { object } from '../schema/types';

type Step = { readonly attribute_name: string } | { readonly element_key_string: string } | { readonly element_key_int: number };

/**
 * A path in the words of the protocol. It ends early where the protocol cannot follow, inside a set or at a name
 * that the schema lacks: a diagnostic that points at the parent is better than none.
 */
export function toWirePath(path: AttributePath, schema: Schema): { readonly steps: readonly Step[] } {
  const steps: Step[] = [];
  let type: Type | undefined = object(schema.attributes);
  for (const key of path) {
    const next: { step: Step; type: Type } | undefined = type && follow(type, key);
    if (!next) break;
    steps.push(next.step);
    type = next.type;
  }
  return { steps };
}

function follow(type: Type, key: string | number): { step: Step; type: Type } | undefined {
  if (type.kind === 'object' && typeof key === 'string' && Object.hasOwn(type.attributes, key)) {
    const attribute = type.attributes[key];
    return attribute && { step: { attribute_name: key }, type: attribute.type };
  }
  if (type.kind === 'map' && typeof key === 'string') return { step: { element_key_string: key }, type: type.element };
  if (type.kind === 'list' && typeof key === 'number') return { step: { element_key_int: key }, type: type.element };
  return undefined;
}
