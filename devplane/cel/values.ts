import { evaluate } from '@marcbachmann/cel-js';
import type { Json } from '../json';
import { isRecord } from '../json';
import { isFormat } from '../schema/formats';
import { memberSchema, type Schema } from '../schema/schema';

function textValue(text: string, format: string | undefined): unknown {
  if ((format !== 'date-time' && format !== 'duration') || !isFormat(text, format)) return text;
  return format === 'duration' ? evaluate('duration(text)', { text }) : new Date(text);
}

/**
 * JSON as CEL sees it. Without a schema, as in policies, integers are int and every text is a string;
 * with one, as in the rules of a CRD, `date-time` is a timestamp and `duration` a duration.
 */
export function toCel(value: Json | undefined, schema?: Schema): unknown {
  if (typeof value === 'number') return Number.isInteger(value) && schema?.type !== 'number' ? BigInt(value) : value;
  if (typeof value === 'string') return textValue(value, schema?.format);
  if (Array.isArray(value)) return value.map((item) => toCel(item, schema?.items));
  if (!isRecord(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined).map(([name, member]) => [name, toCel(member, schema && memberSchema(schema, name))]));
}
