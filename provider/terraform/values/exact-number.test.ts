import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseExact } from './exact-json';
import { asInteger, fromWire } from './exact-number';

describe('exact numbers', () => {
  it('are integers only when they are exact integers', () => {
    expect(asInteger(4)).toBe(4);
    expect(asInteger('4')).toBe(4);
    expect(asInteger(1.5)).toBeUndefined();
    expect(asInteger('0.1')).toBeUndefined();
    expect(asInteger('123456789012345678901234567890')).toBeUndefined();
  });

  it('are not read from text that is no number', () => {
    expect(fromWire('ten')).toBeUndefined();
    expect(fromWire('')).toBeUndefined();
    expect(fromWire(true)).toBeUndefined();
  });

  it('come out of JSON with all their digits', () => {
    expect(parseExact('{"size": 123456789012345678901234567890, "cpu": 2, "half": 0.5, "name": "1"}'))
      .toEqual({ size: '123456789012345678901234567890', cpu: 2, half: 0.5, name: '1' });
    fc.assert(fc.property(fc.bigInt(), (integer) => {
      expect(String(parseExact(String(integer)))).toBe(String(integer));
    }));
  });
});
