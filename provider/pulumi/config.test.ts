import { CONFIG_KEYS, connectOptionsOf, identityOf, isKubeconfigText, type ConfigKey } from './config';

const reader = (values: Partial<Record<ConfigKey, string>>) => (key: ConfigKey): string | undefined => values[key];

describe('the stack configuration', () => {
  it.each(['/home/ada/.kube/config', '~/.kube/config', 'C:\\kube\\config', './kube config'])('takes %s for a path', (path) => {
    expect([isKubeconfigText(path), connectOptionsOf(reader({ kubeconfig: path }))]).toEqual([false, expect.objectContaining({ configPath: path })]);
  });

  it.each(['apiVersion: v1\nkind: Config\n', '{"apiVersion": "v1"}', '  {}', 'kind: Config'])('takes %j for the text of a kubeconfig', (text) => {
    const options = connectOptionsOf(reader({ kubeconfig: text }));
    expect([isKubeconfigText(text), options.configText, options.configPath]).toEqual([true, text, undefined]);
  });

  it('passes every other key under its name in the client, and nothing that is not set', () => {
    const values = { context: 'c', host: 'https://h', token: 't', clusterCaCertificate: 'ca', clientCertificate: 'cc', clientKey: 'ck' };
    const { timeoutMs, ...options } = connectOptionsOf(reader(values));
    const { context, ...others } = values;
    expect(options).toEqual({ configContext: context, ...others });
    expect(timeoutMs).toBeGreaterThan(0);
    expect(Object.keys(connectOptionsOf(reader({})))).toEqual(['timeoutMs']);
  });

  it('is another one as soon as one key is', () => {
    const none = identityOf(reader({}));
    const each = CONFIG_KEYS.map((key) => identityOf(reader({ [key]: 'x' })));
    expect(new Set([none, ...each]).size).toBe(CONFIG_KEYS.length + 1);
    expect(identityOf(reader({ token: 'x' }))).toBe(identityOf(reader({ token: 'x' })));
  });
});
