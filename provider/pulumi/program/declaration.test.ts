import { output, secret } from '@pulumi/pulumi';
import { until } from '../../../sdk/client/until';
import { beginRun } from '../testing/program';
import { NOT_YET, plainArguments } from './declaration';

beforeEach(() => beginRun());
afterEach(() => jest.restoreAllMocks());

const arrives = (props: () => Readonly<Record<string, unknown>>, field: string): Promise<unknown> => until(`${field} is there`, () => Promise.resolve(props()[field] === NOT_YET ? undefined : { is: props()[field] }));

describe('the arguments of a resource', () => {
  it('are there at once where they are plain', () => {
    const args = { name: 'l1', running: false, shape: { cpu: 4 }, serial: undefined, none: null };
    expect(plainArguments(args)()).toEqual(args);
  });

  it.each([
    ['an output', output('x'), 'x'], ['a promise', Promise.resolve('x'), 'x'], ['a secret', secret('x'), 'x'], ['an output inside an object', { cpu: output(4), memory: '8Gi' }, { cpu: 4, memory: '8Gi' }],
    ['an output of false', output(false), false], ['an output of nothing', output<unknown>(null), null],
  ])('are not waited for where they are %s, and there once it is', async (_what, value, expected) => {
    const props = plainArguments({ field: value });
    expect(props().field).toBe(NOT_YET);
    expect(await arrives(props, 'field')).toEqual({ is: expected });
  });

  it('stay unknown where nothing comes', async () => {
    const props = plainArguments({ never: new Promise(() => undefined), soon: output('x') });
    await arrives(props, 'soon');
    expect(props().never).toBe(NOT_YET);
  });
});
