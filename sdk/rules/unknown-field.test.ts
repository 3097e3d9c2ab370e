import { noSuchField, unknownFields } from './unknown-field';

const fields = ['name', 'class'];

describe('a field that does not exist', () => {
  it('is told from those that do, and from one that was left undefined', () => {
    expect(unknownFields({ name: 'ci', maxVMs: 3, class: 'base', floor: null, spare: undefined }, fields)).toEqual(['maxVMs', 'floor']);
    expect(unknownFields({ name: 'ci' }, fields)).toEqual([]);
  });

  it('is named with its object, the rule that it cannot change, and the fields that there are', () => {
    const said = noSuchField('MacNodeLease', 'maxVMs', fields);
    expect(said).toContain('MacNodeLease has no field "maxVMs": there is no such field.');
    expect(said).toContain("limit of 2 macOS virtual machines on a Mac (rule 1; Apple's licence, section 2B(iii))");
    expect(said).toMatch(/24 hours of a lease\. Remove it, or use one of: name, class\.$/);
  });
});
