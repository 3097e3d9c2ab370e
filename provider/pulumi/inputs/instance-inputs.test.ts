import { UNKNOWN } from '../../../sdk/rules/unknown';
import { instanceInputs } from './instance-inputs';
import { instanceProps, instanceUrn, markOf } from '../testing/provider-process';

const GUID = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';
const SHAPE = { cpu: 4, memory: '8Gi', disk: '100Gi' };
const paths = (over: object): string[] => instanceInputs(instanceProps('a', over), {}).findings.map(({ severity, path }) => `${severity} ${path}`);

describe('the inputs of an instance', () => {
  it('get the namespace of the lease, and run', () => {
    const { inputs, declaration, findings } = instanceInputs(instanceProps('a', { running: null, timeouts: null }), {});
    expect(inputs).toEqual({ name: 'a', namespace: 'team-a', lease: 'team-a/l1', image: 'acme/macos:15', shape: SHAPE, running: true, owner: instanceProps('a').owner });
    expect(declaration).toMatchObject({ namespace: 'team-a', running: true, owner: markOf(instanceUrn('a')) });
    expect(findings).toEqual([]);
  });

  it('keep another namespace where one is named: the check refuses another tenant, not this', () => {
    expect(instanceInputs(instanceProps('a', { namespace: 'team-b' }), {})).toMatchObject({ inputs: { namespace: 'team-b' }, findings: [] });
  });

  it('keep the form of sizes in the state where they mean the same, and not the form of others', () => {
    const olds = { shape: { cpu: 2, memory: '8192Mi', disk: '50Gi' } };
    expect(instanceInputs(instanceProps('a'), olds).inputs.shape).toEqual({ cpu: 4, memory: '8192Mi', disk: '100Gi' });
  });

  it.each([{ shape: null }, { shape: 'large' }, { shape: { memory: 8 } }, {}])('are read over a state with %j', (olds) => {
    expect(instanceInputs(instanceProps('a'), olds).inputs.shape).toEqual(SHAPE);
  });

  it('that the engine does not know yet stay unknown, also inside the shape, and so does the namespace', () => {
    const { inputs, declaration, findings } = instanceInputs(instanceProps('a', { lease: GUID, image: GUID, running: GUID, shape: { cpu: GUID, memory: GUID, disk: '100Gi' } }), { shape: SHAPE });
    expect(findings).toEqual([]);
    expect(inputs).toMatchObject({ lease: GUID, namespace: GUID, image: GUID, running: GUID, shape: { cpu: GUID, memory: GUID, disk: '100Gi' } });
    expect(declaration).toMatchObject({ lease: UNKNOWN, namespace: UNKNOWN, image: UNKNOWN, running: UNKNOWN, shape: { cpu: UNKNOWN, memory: UNKNOWN, disk: '100Gi' } });
  });

  it('may have a shape that is not known at all', () => {
    expect(instanceInputs(instanceProps('a', { shape: GUID }), { shape: SHAPE })).toMatchObject({ inputs: { shape: GUID }, declaration: { shape: UNKNOWN }, findings: [] });
  });

  it.each([
    ['no lease', { lease: undefined }, ['error lease']],
    ['a lease that is no id', { lease: 'l1' }, ['error lease']],
    ['a lease as an object', { lease: { namespace: 'team-a', name: 'l1' } }, ['error lease']],
    ['no image', { image: undefined }, ['error image']],
    ['an image that is none', { image: 'Not An Image' }, ['error image']],
    ['no shape', { shape: undefined }, ['error shape']],
    ['half a shape', { shape: { cpu: 4 } }, ['error shape.memory', 'error shape.disk']],
    ['half a core', { shape: { ...SHAPE, cpu: 0.5 } }, ['error shape.cpu']],
    ['cores that are not a number', { shape: { ...SHAPE, cpu: NaN } }, ['error shape.cpu']],
    ['cores as a text', { shape: { ...SHAPE, cpu: '4' } }, ['error shape.cpu']],
    ['a size without a number', { shape: { ...SHAPE, memory: 'Gi', disk: '-1Gi' } }, ['error shape.memory', 'error shape.disk']],
    ['a size as a number', { shape: { ...SHAPE, memory: 8 } }, ['error shape.memory']],
    ['a shape as a list', { shape: [4, '8Gi', '100Gi'] }, ['error shape']],
    ['a field of the shape that does not exist', { shape: { ...SHAPE, gpu: 1 } }, ['error shape.gpu']],
    ['running as a text', { running: 'false' }, ['error running']],
    ['awaitIp as a number', { awaitIp: 1 }, ['error awaitIp']],
    ['an empty name', { name: '' }, ['error name']],
    ['a field that does not exist', { maxVms: 3 }, ['error maxVms']],
  ])('with %s are refused', (_what, over, expected) => {
    expect(paths(over)).toEqual(expected);
  });
});
