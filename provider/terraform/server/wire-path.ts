import type { AttributePath } from '../diagnostics';
import type { Schema } from '../schema/schema';
import type { Type } from '../schema/types';
import { object } from '../schema/types';

type Step = { readonly attribute_name: string } | { readonly element_key_string: string } | { readonly element_key_int: number };

/** The attribute whose change needs a replacement. Ends early at a name that the schema lacks and inside a set. */
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

/**
 * The place that a diagnostic points at: an attribute, and at most one step into it. Terraform finds the source line
 * of `a["b"]` in `a = { b = … }`, but takes `a.b` for a nested block and, finding none, points at the whole resource.
 */
export function toWirePointer(path: AttributePath, schema: Schema): { readonly steps: readonly Step[] } {
  const [attribute, inside] = toWirePath(path.slice(0, 2), schema).steps;
  if (!attribute) return { steps: [] };
  if (!inside) return { steps: [attribute] };
  if (isBlock(schema, attribute)) return { steps: [attribute, inside] };
  return { steps: [attribute, 'attribute_name' in inside ? { element_key_string: inside.attribute_name } : inside] };
}

function isBlock({ attributes }: Schema, step: Step): boolean {
  return 'attribute_name' in step && attributes[step.attribute_name]?.block === true;
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
