import { UNKNOWN } from '../../sdk/rules/unknown';
import { isSet, maybe, toProp } from './props';

/** As the engine writes it. (Seen with Pulumi 3.274.) */
const GUID = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

describe('a property of the engine', () => {
  it('is unknown in the one form that the engine has for it, and goes back in that form', () => {
    expect(maybe(GUID)).toBe(UNKNOWN);
    expect(toProp(UNKNOWN)).toBe(GUID);
  });

  it.each([['a text', 'x'], ['an empty text', ''], ['a number', 0], ['false', false], ['null', null], ['undefined', undefined]])('that is %s stays what it is', (_what, value) => {
    expect([maybe(value), toProp(value)]).toEqual([value, value]);
  });

  it('is set unless it is null or undefined', () => {
    expect([null, undefined, '', 0, false].map(isSet)).toEqual([false, false, true, true, true]);
  });
});
