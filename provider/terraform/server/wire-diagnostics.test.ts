import { describe, expect, it } from '@jest/globals';
import { errorAt } from '../diagnostics';
import { optional, optionalBlock } from '../schema/attributes';
import { schema } from '../schema/schema';
import { list, map, number, object, set, string } from '../schema/types';
import { bugDiagnostic, reasonOf, toWireDiagnostics } from './wire-diagnostics';
import { toWirePath, toWirePointer } from './wire-path';

const THING = schema('', {
  name: optional(string, ''),
  shape: optional(object({ cpu: optional(number, '') }), ''),
  ports: optional(list(object({ number: optional(number, '') })), ''),
  tags: optional(map(string), ''),
  labels: optional(set(string), ''),
  exec: optionalBlock({ command: optional(string, '') }, ''),
});

describe('diagnostics on the wire', () => {
  it('drop equal ones and keep the order of the rest', () => {
    const twice = errorAt(['name'], 'a', 'b');
    const other = errorAt(['shape'], 'a', 'b');
    expect(toWireDiagnostics([twice, other, { ...twice }], THING)).toEqual([
      expect.objectContaining({ severity: 'ERROR', attribute: { steps: [{ attribute_name: 'name' }] } }),
      expect.objectContaining({ attribute: { steps: [{ attribute_name: 'shape' }] } }),
    ]);
  });

  it('point at the place in the source that Terraform can find', () => {
    const pointer = (...path: (string | number)[]) => toWirePointer(path, THING).steps;
    expect(pointer('shape', 'cpu')).toEqual([{ attribute_name: 'shape' }, { element_key_string: 'cpu' }]);
    expect(pointer('ports', 1, 'number')).toEqual([{ attribute_name: 'ports' }, { element_key_int: 1 }]);
    expect(pointer('tags', 'x')).toEqual([{ attribute_name: 'tags' }, { element_key_string: 'x' }]);
    expect(pointer('labels', 'x')).toEqual([{ attribute_name: 'labels' }]);
    expect(pointer('exec', 'command')).toEqual([{ attribute_name: 'exec' }, { attribute_name: 'command' }]);
    expect(pointer('nmae')).toEqual([]);
  });

  it('name the exact attribute that needs a replacement', () => {
    expect(toWirePath(['shape', 'cpu'], THING).steps).toEqual([{ attribute_name: 'shape' }, { attribute_name: 'cpu' }]);
  });

  it('tell an exception with all its causes and who is to blame', () => {
    const error = new Error('cannot list', { cause: new TypeError('refused', { cause: 'offline' }) });
    expect(reasonOf(error)).toBe('cannot list: refused: offline');
    expect(reasonOf({ secret: 1 })).toBe('a value of type object was thrown');
    expect(bugDiagnostic('ReadResource', error).detail).toContain('configuration is not at fault');
  });
});
