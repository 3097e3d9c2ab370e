import { describe, expect, it } from '@jest/globals';
import { UNKNOWN } from '../values/unknown';
import { optional, required } from './attributes';
import { missingAttributes } from './missing';
import { list, map, number, object, string } from './types';

const SHAPE = object({ cpu: required(number, ''), note: optional(string, '') });
const ATTRIBUTES = { name: required(string, ''), shape: required(SHAPE, ''), more: optional(list(SHAPE), ''), by: optional(map(SHAPE), '') };
const shape = { cpu: 4, note: null };
const row = { name: 'a', shape, more: null, by: null };

describe('required attributes of a configuration', () => {
  it.each([
    ['are all there', row, []],
    ['may be unknown', { ...row, name: UNKNOWN, shape: { cpu: UNKNOWN, note: null } }, []],
    ['are missed where they are null', { ...row, name: null }, [['name']]],
    ['are missed as a whole', { ...row, shape: null }, [['shape']]],
    ['are missed inside an object', { ...row, shape: { cpu: null, note: null } }, [['shape', 'cpu']]],
    ['are missed inside collections', { ...row, more: [shape, { cpu: null, note: null }], by: { x: { cpu: null, note: null } } }, [['more', 1, 'cpu'], ['by', 'x', 'cpu']]],
  ])('%s', (_, config, paths) => {
    expect(missingAttributes(config, ATTRIBUTES).map(({ path }) => path)).toEqual(paths);
  });

  it('are named in the message', () => {
    expect(missingAttributes({ ...row, shape: { cpu: null, note: null } }, ATTRIBUTES)).toEqual([expect.objectContaining({ severity: 'error', summary: 'InvalidValue: shape.cpu is null' })]);
  });
});
