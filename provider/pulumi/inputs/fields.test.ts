import { UNKNOWN } from '../../../sdk/rules/unknown';
import { Fields } from './fields';

const GUID = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
const NAMES = ['text', 'flag', 'number', 'object'] as const;

const read = (props: Record<string, unknown>) => {
  const fields = new Fields('MacNodeLease', props, NAMES, ['owner']);
  return { fields, values: NAMES.map((name) => fields[name](name)) };
};

/** What JavaScript may pass, and the fields that take it. */
const VALUES: readonly (readonly [what: string, value: unknown, takes: (typeof NAMES)[number] | 'none'])[] = [
  ['a text', 'x', 'text'], ['an empty text', '', 'text'], ['true', true, 'flag'], ['a number', 4, 'number'], ['not a number', NaN, 'number'], ['an object', { a: 1 }, 'object'],
  ['a list', ['x'], 'none'], ['a big integer', 4n, 'none'], ['a function', () => 1, 'none'], ['a symbol', Symbol('s'), 'none'],
];

describe('a field', () => {
  describe.each(VALUES)('with %s', (_what, value, takes) => {
    it.each(NAMES)('that takes a %s', (name) => {
      const fields = new Fields('MacNodeLease', { [name]: value }, NAMES);
      if (name === takes) {
        expect([fields[name](name), fields.findings]).toEqual([value, []]);
        return;
      }
      expect(fields[name](name)).toBe(UNKNOWN);
      expect(fields.findings).toMatchObject([{ severity: 'error', reason: 'InvalidValue', path: name }]);
      expect(fields.findings[0]?.title).toMatch(new RegExp(`^${name} is an? \\w+|^${name} is \\w+ \\S`));
      expect(fields.findings[0]?.detail).toMatch(/^\w+ takes (a text|true or false|a number|an object)\. Write it so\.$/);
    });
  });

  it('that is not set is null, whichever way it is left out', () => {
    expect(read({}).values).toEqual([null, null, null, null]);
    expect(read({ text: null, flag: undefined, number: null, object: undefined })).toMatchObject({ values: [null, null, null, null], fields: { findings: [] } });
  });

  it('that the engine does not know yet is unknown, and no fault', () => {
    expect(read({ text: GUID, flag: GUID, number: GUID, object: GUID })).toMatchObject({ values: [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN], fields: { findings: [] } });
  });

  it('that does not exist is named with rule 1 and the fields that there are; hidden ones are none of them', () => {
    const { fields } = read({ maxVms: 3, owner: 'x', alsoUnset: undefined });
    expect(fields.findings).toMatchObject([{ severity: 'error', reason: 'InvalidValue', path: 'maxVms' }]);
    expect(fields.findings[0]?.detail).toMatch(/^There is no such field.*rule 1.*use one of: text, flag, number, object\.$/);
  });

  it('inside an object is named with its place', () => {
    const fields = new Fields('MacOSInstance', { gpu: 1, cpu: 'four' }, ['cpu'], [], 'shape');
    fields.number('cpu');
    expect(fields.findings.map(({ path }) => path)).toEqual(['shape.gpu', 'shape.cpu']);
  });

  it('that is needed is a fault where it is not set, and none where it is unknown', () => {
    const fields = new Fields('MacNodeLease', { flag: GUID }, NAMES);
    expect(fields.required('flag', fields.flag('flag'), 'true')).toBe(UNKNOWN);
    expect(fields.findings).toEqual([]);
    expect(fields.required('text', fields.text('text'), 'a DNS label')).toBe(UNKNOWN);
    expect(fields.findings).toMatchObject([{ path: 'text', title: 'MacNodeLease needs text', detail: 'text is not set. It takes a DNS label. Set it.' }]);
  });
});
