import type { Diagnostics } from '../diagnostics';
import { errorAt, formatPath, type AttributePath } from '../diagnostics';
import type { Value } from '../values/value';
import { isUnknown } from '../values/unknown';
import type { Attributes, Type } from './types';

type Row = Readonly<Record<string, Value>>;

function within(value: Value, type: Type, path: AttributePath): Diagnostics {
  if (value === null || isUnknown(value)) return [];
  switch (type.kind) {
    case 'object':
      return inRow(value as Row, type.attributes, path);
    case 'list':
    case 'set':
      return (value as readonly Value[]).flatMap((element, index) => within(element, type.element, [...path, index]));
    case 'map':
      return Object.entries(value as Row).flatMap(([key, element]) => within(element, type.element, [...path, key]));
    default:
      return [];
  }
}

function missing(path: AttributePath): Diagnostics {
  const name = formatPath(path);
  return [errorAt(path, `InvalidValue: ${name} is null`, `${name} is required, and null counts as left out. Give it a value; where it comes from a variable or an output, give that one.`)];
}

function inRow(row: Row, attributes: Attributes, path: AttributePath): Diagnostics {
  return Object.entries(attributes).flatMap(([name, { mode, type }]) => {
    const value = row[name] ?? null;
    return mode === 'required' && value === null ? missing([...path, name]) : within(value, type, [...path, name]);
  });
}

/** Required attributes of a configuration that are null. Terraform looks only for whether they are written: `name = var.name` is, and may be null. */
export function missingAttributes(config: Row, attributes: Attributes): Diagnostics {
  return inRow(config, attributes, []);
}
