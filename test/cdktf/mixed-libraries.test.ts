import { LIBRARIES, load } from './flavour';
import { anything, SHAPE, VM } from './stack';

describe.each([['cdktf', 'cdktn'], ['cdktn', 'cdktf']] as const)('constructs for %s in an app of %s', (ours, theirs) => {
  const { macrack } = load(ours);
  const { library } = load(theirs);
  const stack = () => new library.TerraformStack(library.Testing.app(), 'stack');
  const said = new RegExp(`of "macrack/${ours}" builds on ${ours}, and the app is of ${theirs}: constructs of the two do not mix in one app\\. Import from "macrack/${theirs}" here`);

  it.each([
    ['the provider', () => new macrack.MacrackProvider(anything(stack()), 'c')],
    ['a lease', () => new macrack.MacNodeLease(anything(stack()), 'c', { name: 'ci', class: 'base' })],
    ['an instance', () => new macrack.MacOSInstance(anything(stack()), 'c', { name: 'vm', lease: 'team-a/ci', image: VM.image, shape: SHAPE })],
    ['a data source', () => new macrack.DataMacrackMacNodeLeases(anything(stack()), 'c')],
    ['a dedicated Mac', () => new macrack.DedicatedMac(anything(stack()), 'c', { class: 'base', vms: [] })],
    ['a fleet', () => new macrack.MacFleet(anything(stack()), 'c', { class: 'base', count: 0, vms: [] })],
  ])('%s: refused where it is made, with what to import', (_what, make) => {
    expect(make).toThrow(said);
  });
});

describe.each(LIBRARIES)('constructs for %s', (name) => {
  it('are refused where only their stack is of the other library', () => {
    const { library, macrack } = load(name);
    const other = load(name === 'cdktf' ? 'cdktn' : 'cdktf').library;
    const stack = new other.TerraformStack(anything(library.Testing.app()), 'stack');
    expect(() => new macrack.MacrackProvider(anything(stack), 'macrack')).toThrow(/and stack is of cdkt[fn]: constructs of the two do not mix/);
  });

  it('work with a second copy of their own library', () => {
    const { macrack } = load(name);
    const { library } = load(name);
    const stack = new library.TerraformStack(library.Testing.app(), 'stack');
    expect(() => new macrack.MacrackProvider(anything(stack), 'macrack')).not.toThrow();
  });
});
