import type { Json } from '../json';
import { at, clone, isEqual, isRecord, textAt } from '../json';

/** The patch does not fit the document. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';
}

const fault = (why: string) => new JsonPatchError(why);
const unescape = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~');
const segmentsOf = (pointer: string) => pointer.split('/').slice(1).map(unescape);

function read(document: Json, pointer: string): Json {
  return segmentsOf(pointer).reduce<Json>((here, segment) => {
    const found = Array.isArray(here) ? here[Number(segment)] : isRecord(here) ? here[segment] : undefined;
    if (found === undefined) throw fault(`there is nothing at ${pointer}`);
    return found;
  }, document);
}

function write(document: Json, pointer: string, value: Json | undefined, isInsert: boolean): Json {
  const segments = segmentsOf(pointer);
  const last = segments.pop();
  if (last === undefined) return value ?? null;
  const parent = read(document, `${segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`);
  if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : Number(last);
    if (!Number.isInteger(index) || index < 0 || index > parent.length) throw fault(`${pointer} is not a place in the list`);
    parent.splice(index, isInsert ? 0 : 1, ...(value === undefined ? [] : [value]));
  } else if (isRecord(parent)) {
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  } else throw fault(`${pointer} has no parent`);
  return document;
}

function step(document: Json, operation: Json): Json {
  const [path, from, value] = [textAt(operation, 'path'), textAt(operation, 'from'), at(operation, 'value')];
  switch (textAt(operation, 'op')) {
    case 'add': return write(document, path, value ?? null, true);
    case 'replace': read(document, path); return write(document, path, value ?? null, false);
    case 'remove': read(document, path); return write(document, path, undefined, false);
    case 'copy': return write(document, path, clone(read(document, from)), true);
    case 'move': {
      const moved = read(document, from);
      return write(write(document, from, undefined, false), path, moved, true);
    }
    case 'test':
      if (!isEqual(read(document, path), value)) throw fault(`testing value ${path} failed`);
      return document;
    default: throw fault(`unknown operation ${JSON.stringify(at(operation, 'op'))}`);
  }
}

/** RFC 6902. The document given stays as it is. @throws JsonPatchError */
export function applyJsonPatch(document: Json, patch: Json[]): Json {
  return patch.reduce<Json>(step, clone(document));
}
