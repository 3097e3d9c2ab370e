import { ConnectionError } from '../../../sdk/client/connect-options';
import type { ControlPlane } from '../../../sdk/client/control-plane';
import { MemoryPlane } from '../../../sdk/client/testing/memory/memory-plane';
import { Scene } from '../../core/testing/scene';
import { instanceProps, leaseProps, leaseUrn, request, startProvider } from '../testing/provider-process';
import { Told } from '../testing/told';
import { providers, type ResourceProvider } from './provider-process';

interface Opening {
  readonly resolve: (plane: ControlPlane) => void;
  readonly reject: (error: unknown) => void;
}

/** A process whose ways to the control plane open when the test says so. */
function opening(): { readonly lease: ResourceProvider; readonly instance: ResourceProvider; readonly opened: Opening[] } {
  const opened: Opening[] = [];
  const both = providers({ connect: () => new Promise((resolve, reject) => opened.push({ resolve, reject })) }, new Told());
  return { ...both, opened };
}

describe('the session of a provider process', () => {
  it('is opened once for both resources and all texts of them, and a call that comes while it opens waits for it', async () => {
    const { lease, instance, opened } = opening();
    lease.configure(request());
    const early = lease.check({}, leaseProps());
    instance.configure(request());
    lease.configure(request());
    const late = instance.check({}, instanceProps('a'));
    expect(opened).toHaveLength(1);
    opened[0]?.resolve(new MemoryPlane());
    expect((await early).failures).toEqual([]);
    // What one resource has declared, the other one judges.
    expect((await late).failures).toEqual([]);
  });

  it('is another one for another configuration', () => {
    const { lease, opened } = opening();
    lease.configure(request());
    lease.configure(request({ context: 'other' }));
    lease.configure(request({ context: 'other' }));
    expect(opened).toHaveLength(2);
  });

  it('takes the namespace of the configuration before that of the context', async () => {
    for (const [values, expected] of [[{}, 'team-a'], [{ namespace: 'team-b' }, 'team-b']] as const) {
      const { lease } = providers({ connect: () => Promise.resolve(new MemoryPlane()) }, new Told());
      lease.configure(request(values));
      expect((await lease.check({}, leaseProps())).inputs.leaseId).toBe(`${expected}/l1`);
    }
  });

  const unknown = new ConnectionError('config_path names no file', 'config_path');

  it('that cannot be opened is one refusal of each check, in one sentence that says what to set', async () => {
    const { lease, instance, opened } = opening();
    lease.configure(request());
    opened[0]?.reject(unknown);
    for (const { failures } of [await lease.check({}, leaseProps()), await instance.check({}, instanceProps('a')), await lease.check({}, leaseProps({ class: 'ultra' }))]) {
      expect(failures).toEqual([{ property: '', reason: 'NotConnected: macrack:kubeconfig names no file. Set it with `pulumi config set macrack:kubeconfig PATH` (and macrack:context), or macrack:host with macrack:token. Nothing was asked of any server.' }]);
    }
  });

  it('that cannot be opened fails every other call, without a stack', async () => {
    const { lease, instance, opened } = opening();
    lease.configure(request());
    opened[0]?.reject(unknown);
    const calls = [lease.create(leaseProps()), lease.read('a/b', {}), lease.update('a/b', {}, {}), lease.delete('a/b', {}), instance.create({}), instance.read('a/b', {}), instance.update('a/b', {}, {}), instance.delete('a/b', {})];
    for (const call of calls) await expect(call).rejects.toMatchObject({ message: expect.stringMatching(/^NotConnected: /) as unknown, stack: '' });
  });

  it('hides no bug: what else goes wrong is thrown as it is', async () => {
    const { lease, opened } = opening();
    lease.configure(request());
    const bug = new TypeError('x is not a function');
    opened[0]?.reject(bug);
    await expect(lease.check({}, leaseProps())).rejects.toBe(bug);
  });

  it('is asked for in vain before anything is configured', async () => {
    const { lease } = opening();
    await expect(lease.check({}, leaseProps())).rejects.toThrow('before it was configured');
  });
});

describe('the text that the engine stores', () => {
  it('reaches no method, no answer and no state', async () => {
    const scene = new Scene();
    const { lease } = startProvider(scene);
    const text = { __provider: 'exports.handler = 1' };
    const { inputs, failures } = await lease.check(text, leaseProps(text));
    expect([failures, Object.keys(inputs)]).toEqual([[], expect.not.arrayContaining(['__provider'])]);
  });

  it('makes no state look like one that is there: a check with nothing else is a create', async () => {
    const scene = new Scene();
    const { lease } = startProvider(scene);
    await lease.check({ __provider: 'text' }, leaseProps());
    expect((await lease.check({ __provider: 'text' }, leaseProps({ owner: leaseUrn('l2') }))).failures).toMatchObject([{ property: 'name' }]);
  });
});
