import { secret, unsecret } from '@pulumi/pulumi';
import { leaseInState } from './hook-state';

const OUTPUTS = { namespace: 'team-a', name: 'l1', uid: 'uid-l1', class: 'base', minimumDuration: '24h', onEarlyRelease: 'hold', phase: 'Bound', earliestReleaseAt: '2026-11-30T10:00:00Z' };

describe('the lease of a state', () => {
  it('is what its outputs say', async () => {
    expect(await leaseInState({ name: 'ci', oldOutputs: OUTPUTS })).toMatchObject(OUTPUTS);
  });

  it.each(Object.keys(OUTPUTS))('is the same where %s is a secret', async (field) => {
    const plain: Record<string, unknown> = OUTPUTS;
    expect(await leaseInState({ name: 'ci', oldOutputs: { ...OUTPUTS, [field]: secret(plain[field]) } })).toMatchObject(OUTPUTS);
    expect(await leaseInState({ name: 'ci', oldOutputs: { ...OUTPUTS, [field]: unsecret(secret(plain[field])) } })).toMatchObject(OUTPUTS);
  });

  it.each([
    ['nothing', undefined, 'namespace, name, uid'], ['no uid', { ...OUTPUTS, uid: undefined }, 'uid'], ['no name', { ...OUTPUTS, name: null }, 'name'],
    ['a namespace that is no text', { ...OUTPUTS, namespace: 4 }, 'namespace'], ['a secret that is no text', { ...OUTPUTS, uid: secret(4) }, 'uid'],
  ])('that has %s could be any lease: it stays', async (_what, oldOutputs, missing) => {
    await expect(leaseInState({ name: 'ci', oldOutputs: oldOutputs as Record<string, unknown> })).rejects.toThrow(`NotChecked: the state of ci does not say which lease it is (${missing}). It stays.`);
  });
});
