import { connectOptionsOf, type ConfigRow } from './provider-config';

const NONE: ConfigRow = { config_path: null, config_paths: null, config_context: null, host: null, token: null, cluster_ca_certificate: null, client_certificate: null, client_key: null, exec: null, namespace: null };

/** What the client is told, but for the time of a request. */
function told(config: Partial<ConfigRow>, env: Readonly<Record<string, string>>) {
  const { timeoutMs: _timeout, ...options } = connectOptionsOf({ ...NONE, ...config }, env);
  return options;
}

const EVERY = { KUBE_CONFIG_PATH: '/a', KUBE_CTX: 'c', KUBE_HOST: 'https://h', KUBE_CLUSTER_CA_CERT_DATA: 'ca', KUBE_CLIENT_CERT_DATA: 'cert', KUBE_CLIENT_KEY_DATA: 'key' };

describe('variables of the environment', () => {
  it('stand in for the arguments that are left out', () => {
    expect(told({}, EVERY)).toEqual({ configPath: '/a', configContext: 'c', host: 'https://h', clusterCaCertificate: 'ca', clientCertificate: 'cert', clientKey: 'key' });
    expect(told({}, { KUBE_TOKEN: 't' })).toEqual({ token: 't' });
    expect(told({}, { KUBE_CONFIG_PATHS: '/a::/b' })).toEqual({ configPaths: ['/a', '/b'] });
  });

  it('give way to an argument, each to its own', () => {
    expect(told({ host: 'https://mine', config_context: 'mine' }, EVERY)).toMatchObject({ host: 'https://mine', configContext: 'mine', configPath: '/a' });
  });

  it.each([
    ['a path', { config_path: '/mine' }, { KUBE_CONFIG_PATHS: '/a:/b' }, { configPath: '/mine' }],
    ['several paths', { config_paths: ['/mine'] }, { KUBE_CONFIG_PATH: '/a' }, { configPaths: ['/mine'] }],
    ['a token', { token: 'mine' }, { KUBE_CLIENT_CERT_DATA: 'cert', KUBE_CLIENT_KEY_DATA: 'key' }, { token: 'mine' }],
    ['a program', { exec: { api_version: 'v', command: 'c', args: null, env: { A: 'b' } } }, { KUBE_TOKEN: 't' }, { exec: { apiVersion: 'v', command: 'c', env: { A: 'b' } } }],
  ])('add nothing to %s that is written', (_what, config, env, options) => {
    expect(told(config, env)).toEqual(options);
  });

  it('that are empty are none', () => {
    expect(told({}, { KUBE_TOKEN: '', KUBE_HOST: '' })).toEqual({});
  });
});
