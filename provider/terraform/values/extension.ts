import { ExtensionCodec, decode, encode } from '@msgpack/msgpack';
import type { Refinement } from './unknown';
import { UNKNOWN, Unknown, isUnknown } from './unknown';

const PLAIN = 0;
const REFINED = 12;
const IS_NULL = 1;
const STRING_PREFIX = 2;

/** The two extension types that stand for unknown values; bounds of numbers and lengths are dropped, which loses no truth. */
export const extensionCodec = new ExtensionCodec();

extensionCodec.register({
  type: PLAIN,
  encode: (value) => (isUnknown(value) && entriesOf(value.refinement).length === 0 ? Uint8Array.of(0) : null),
  decode: () => UNKNOWN,
});

extensionCodec.register({
  type: REFINED,
  encode: (value) => (isUnknown(value) ? encodeEntries(entriesOf(value.refinement)) : null),
  decode: (data) => unknownOf(decode(data) as Readonly<Record<number, unknown>>),
});

type Entry = readonly [key: number, value: unknown];

function entriesOf({ isNull, stringPrefix }: Refinement): Entry[] {
  const nullness: Entry[] = isNull === undefined ? [] : [[IS_NULL, isNull]];
  return stringPrefix === undefined ? nullness : [...nullness, [STRING_PREFIX, stringPrefix]];
}

/** By hand, since the keys are integers and the library writes object keys as strings. Never more than two entries. */
function encodeEntries(entries: Entry[]): Uint8Array {
  const fixmap = 0x80 | entries.length;
  return Buffer.concat([Uint8Array.of(fixmap), ...entries.flatMap(([key, value]) => [Uint8Array.of(key), encode(value)])]);
}

function unknownOf(entries: Readonly<Record<number, unknown>>): Unknown {
  const refinement = {
    ...(typeof entries[IS_NULL] === 'boolean' ? { isNull: entries[IS_NULL] } : {}),
    ...(typeof entries[STRING_PREFIX] === 'string' ? { stringPrefix: entries[STRING_PREFIX] } : {}),
  };
  return Object.keys(refinement).length === 0 ? UNKNOWN : new Unknown(refinement);
}
