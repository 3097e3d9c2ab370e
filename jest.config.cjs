// ESM-only packages that jest's CommonJS runtime must transform (client-node and what it pulls in).
const esm = ['@kubernetes/client-node', 'openid-client', 'oauth4webapi', 'jose', 'jsonpath-plus', 'rfc4648', 'socks-proxy-agent', 'agent-base', '@marcbachmann/cel-js', 'commander', 'kysely'];

const shared = {
  testEnvironment: 'node',
  transform: { '^.+\\.(t|j|mj)s$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2023' }, module: { type: 'commonjs' } }] },
  transformIgnorePatterns: [`/node_modules/(?!(${esm.join('|')})/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

const parts = '{sdk,provider,operator,agent,devplane,cli}';

// Beside the sources too, but not quick: they crash at every write, or start real programs or a whole plane.
const long = ['kill', 'real-*', 'kubectl', 'must-work', 'dropped-writes', 'operator'].map((name) => `<rootDir>/${parts}/**/${name}.test.ts`);

module.exports = {
  projects: [
    { ...shared, displayName: 'unit', rootDir: __dirname, testMatch: [`<rootDir>/${parts}/**/*.test.ts`, ...long.map((glob) => `!${glob}`)] },
    { ...shared, displayName: 'system', rootDir: __dirname, testMatch: ['<rootDir>/test/**/*.test.ts', ...long] },
  ],
};
