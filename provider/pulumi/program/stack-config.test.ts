import * as runtime from '@pulumi/pulumi/runtime';
import { beginRun } from '../testing/program';
import { checkKeys, checkSecrets, readStackConfig } from './stack-config';

beforeEach(() => beginRun());
afterEach(() => jest.restoreAllMocks());

const configure = (values: Readonly<Record<string, string>>, secretKeys: readonly string[] = []): void => runtime.setAllConfig({ ...values }, [...secretKeys]);
const NOTHING: runtime.Mocks = { newResource: () => ({ id: '', state: {} }), call: () => ({}) };
const KUBECONFIG = 'apiVersion: v1\nkind: Config\n';

describe('the stack configuration of a program', () => {
  it('is read by its keys behind macrack:, and undefined where it is not set', () => {
    configure({ 'macrack:namespace': 'team-a' });
    expect([readStackConfig('namespace'), readStackConfig('context')]).toEqual(['team-a', undefined]);
  });

  it.each([['kubeconfig', KUBECONFIG], ['token', 't'], ['clientKey', 'k']])('refuses %s that the state would keep in clear, without showing it', (key, value) => {
    configure({ [`macrack:${key}`]: value });
    expect(checkSecrets).toThrow(`InvalidValue: macrack:${key} is a credential and is not secret`);
    expect(checkSecrets).toThrow(new RegExp(`pulumi config set --secret macrack:${key}`));
    const error = (() => { try { checkSecrets(); } catch (thrown) { return thrown as Error; } return undefined; })();
    expect(error?.stack?.split('\n')).toHaveLength(1);
    expect(error?.message).not.toContain(KUBECONFIG);
    configure({ [`macrack:${key}`]: value }, [`macrack:${key}`]);
    expect(checkSecrets).not.toThrow();
  });

  it.each([['kubeconfig', '~/.kube/config'], ['host', 'https://h'], ['clusterCaCertificate', 'PEM'], ['clientCertificate', 'PEM'], ['context', 'c']])('takes %s in clear where it is no credential', (key, value) => {
    configure({ [`macrack:${key}`]: value });
    expect(checkSecrets).not.toThrow();
  });

  it('refuses a key that there is not, with those that there are; a project called macrack has keys of its own', async () => {
    configure({ 'macrack:kubeconfg': '/elsewhere', 'demo:other': 'x' });
    await runtime.setMocks(NOTHING, 'demo', 'dev');
    expect(checkKeys).toThrow(/^InvalidValue: .* has macrack:kubeconfg, and there is no such key\. .*macrack:kubeconfig, macrack:context/);
    configure({ 'macrack:kubeconfig': '/here', 'demo:other': 'x' });
    expect(checkKeys).not.toThrow();
    configure({ 'macrack:region': 'x' });
    await runtime.setMocks(NOTHING, 'macrack', 'dev');
    expect(checkKeys).not.toThrow();
  });
});
