import { UNKNOWN } from '../../../sdk/rules/unknown';
import { leaseInputs } from './lease-inputs';
import { leaseProps, leaseUrn, markOf } from '../testing/provider-process';

const GUID = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
const paths = (news: object, olds: object = {}): string[] => leaseInputs(leaseProps(news), { ...olds }, 'team-a').findings.map(({ severity, path }) => `${severity} ${path}`);

describe('the inputs of a lease', () => {
  it('get their defaults, which then stand in the state; nothing in it is null', () => {
    const { inputs, declaration, findings, statusInDiff } = leaseInputs(leaseProps({ serial: null, timeouts: undefined }), {}, 'team-a');
    expect(inputs).toEqual({ name: 'l1', class: 'base', namespace: 'team-a', minimumDuration: '24h', onEarlyRelease: 'refuse', leaseId: 'team-a/l1', owner: leaseProps().owner });
    expect(declaration).toEqual({ name: 'l1', class: 'base', namespace: 'team-a', serial: null, minimumDuration: '24h', onEarlyRelease: 'refuse', adopt: false, owner: markOf(leaseUrn()) });
    expect([findings, statusInDiff]).toEqual([[], false]);
  });

  it('that are left out stay as the state has them: no default moves a lease or lowers its floor', () => {
    const olds = leaseInputs(leaseProps({ namespace: 'team-b', minimumDuration: '72h' }), {}, 'team-a').inputs;
    expect(leaseInputs(leaseProps(), olds, 'team-c').inputs).toMatchObject({ namespace: 'team-b', minimumDuration: '72h', leaseId: 'team-b/l1' });
  });

  it('that are left out again after a wish for an early release refuse one again', () => {
    const olds = leaseInputs(leaseProps({ onEarlyRelease: 'hold' }), {}, 'team-a').inputs;
    expect(leaseInputs(leaseProps(), olds, 'team-a').inputs.onEarlyRelease).toBe('refuse');
  });

  it.each([
    ['serial', 'C02XYZ', 'c02xyz'], ['minimumDuration', '024h', '24h'],
  ])('keep the form of the state where %s %s means the same as %s', (field, written, inState) => {
    expect(leaseInputs(leaseProps({ [field]: written }), { [field]: inState }, 'team-a').inputs[field]).toBe(inState);
  });

  it('that mean something else are what was written', () => {
    expect(leaseInputs(leaseProps({ serial: 'c02abc', minimumDuration: '48h' }), { serial: 'c02xyz', minimumDuration: '24h' }, 'team-a').inputs).toMatchObject({ serial: 'c02abc', minimumDuration: '48h' });
  });

  it('that the engine does not know yet stay unknown, and so does the id', () => {
    const { inputs, declaration, findings } = leaseInputs({ name: GUID, namespace: GUID, class: GUID, serial: GUID, minimumDuration: GUID, onEarlyRelease: GUID, adopt: GUID, timeouts: { create: GUID } }, {}, 'team-a');
    expect(findings).toEqual([]);
    expect(inputs).toMatchObject({ name: GUID, namespace: GUID, class: GUID, serial: GUID, minimumDuration: GUID, onEarlyRelease: GUID, leaseId: GUID });
    expect(declaration).toMatchObject({ name: UNKNOWN, namespace: UNKNOWN, class: UNKNOWN, serial: UNKNOWN, minimumDuration: UNKNOWN, adopt: UNKNOWN });
  });

  it('never carry what an earlier run observed', () => {
    expect(leaseInputs(leaseProps({ observed: { phase: 'Bound' } }), {}, 'team-a').inputs).not.toHaveProperty('observed');
  });

  it.each([
    ['no name', { name: undefined }, ['error name']],
    ['no class', { class: undefined }, ['error class']],
    ['a class that there is not', { class: 'ultra' }, ['error class']],
    ['a name that is no label', { name: 'CI_1' }, ['error name']],
    ['a namespace that is none', { namespace: 'Team A' }, ['error namespace']],
    ['a serial that is none', { serial: 'c02-xyz' }, ['error serial']],
    ['a floor under a day', { minimumDuration: '23h' }, ['error minimumDuration']],
    ['a floor in minutes', { minimumDuration: '1440m' }, ['error minimumDuration']],
    ['a floor as a number', { minimumDuration: 24 }, ['error minimumDuration']],
    ['another wish for an early release', { onEarlyRelease: 'keep' }, ['error onEarlyRelease']],
    ['adopt as a text', { adopt: 'true' }, ['error adopt']],
    ['a timeout that is none', { timeouts: { create: 'soon', read: '1m' } }, ['error timeouts.read', 'error timeouts.create']],
    ['timeouts as a text', { timeouts: '10m' }, ['error timeouts']],
    ['a field that does not exist', { maxVms: 3 }, ['error maxVms']],
    ['several faults at once', { class: 3, serial: '', statusInDiff: 1, vms: [] }, ['error vms', 'error class', 'error statusInDiff', 'error serial']],
  ])('with %s are refused', (_what, over, expected) => {
    expect(paths(over)).toEqual(expected);
  });
});
