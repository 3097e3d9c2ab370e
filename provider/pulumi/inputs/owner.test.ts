import { marksOfStack, ownerFor, ownerInput, tryParseOwner } from './owner';

const URN = 'urn:pulumi:dev::demo::macrack:index:DedicatedMac$pulumi-nodejs:dynamic/macrack:MacNodeLease::ci';

describe('the owner of an object', () => {
  it.each(['acme', '', 'a/b'])('of organization %j is read back from its input and from its mark', (organization) => {
    const input = ownerInput({ organization, urn: URN });
    expect([tryParseOwner(input), tryParseOwner(ownerFor(input))]).toEqual([{ organization, urn: URN }, { organization, urn: URN }]);
  });

  it('has a mark that begins with the mark of its stack, and of no other one', () => {
    const mark = ownerFor(ownerInput({ organization: 'acme', urn: URN }));
    expect(mark?.startsWith(marksOfStack('acme', 'dev', 'demo'))).toBe(true);
    for (const other of [marksOfStack('acme', 'dev', 'dem'), marksOfStack('acme', 'de', 'demo'), marksOfStack('other', 'dev', 'demo')]) expect(mark?.startsWith(other)).toBe(false);
  });

  it.each([undefined, null, 4, '', 'terraform', 'acme', '04da6b54-80e4-46f7-96ec-b56ff0331ba9'])('is nobody for %j', (input) => {
    expect(ownerFor(input)).toBeUndefined();
  });

  it.each([undefined, '', 'kubectl', 'pulumi:', 'pulumi:acme/other'])('is not read from %j', (text) => expect(tryParseOwner(text)).toBeUndefined());
});
