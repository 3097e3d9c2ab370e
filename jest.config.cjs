// ESM-only packages that jest's CommonJS runtime must transform (client-node and what it pulls in).
const esm = ['@kubernetes/client-node', 'openid-client', 'oauth4webapi', 'jose', 'jsonpath-plus', 'rfc4648', 'socks-proxy-agent', 'agent-base', '@marcbachmann/cel-js', 'commander', 'kysely'];

const shared = {
  testEnvironment: 'node',
  transform: { '^.+\\.(t|j|mj)s$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript', decorators: true }, target: 'es2023' }, module: { type: 'commonjs' } }] },
  transformIgnorePatterns: [`/node_modules/(?!(${esm.join('|')})/)`],
  moduleNameMapper: {
    // A kubeconfig needs little of client-node, and each test file loads it anew: a second that is spared, as in the bundles.
    '^@kubernetes/client-node$': '<rootDir>/node_modules/@kubernetes/client-node/dist/config.js',
    '^\\./gen/index\\.js$': '<rootDir>/toolchain/client-node-generated.cjs',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
};

const parts = '(sdk|provider|operator|agent|devplane|realplane|cli)';

// Beside the sources too, but not quick: they crash at every write, or start real programs or a whole plane.
const long = '(kill|real-[a-z-]+|kubectl|must-work|dropped-writes|devplane/(server|admission|controllers))';

// Minutes together: they run in CI and by `npm run test:all`.
const thorough = '/test/(mutation/|e2e/killed-|faults/(killed-at-every-write|two-operators)|.*-in-full)';

// Whatever drives the engine that reads HCL: once more with OpenTofu, in CI and by `npm run test:all`.
const engines = '/test/(e2e/[^/]+|examples/terraform|real-plane/provider[^/]*|cdktf/clis-in-full)';

module.exports = {
  // Only ends a hang: no test is judged by how long it takes, and machines are busy.
  testTimeout: 300_000,
  projects: [
    { ...shared, displayName: 'unit', rootDir: __dirname, testRegex: [`/${parts}/.*\\.test\\.ts$`], testPathIgnorePatterns: ['/test/', `/${long}\\.test\\.ts$`] },
    { ...shared, displayName: 'system', rootDir: __dirname, testRegex: ['/test/.*\\.test\\.ts$', `/${long}\\.test\\.ts$`], testPathIgnorePatterns: ['/node_modules/', thorough] },
    { ...shared, displayName: 'thorough', rootDir: __dirname, testRegex: [`${thorough}.*\\.test\\.ts$`] },
    { ...shared, displayName: 'opentofu', rootDir: __dirname, testRegex: [`${engines}\\.test\\.ts$`], setupFiles: ['<rootDir>/test/harness/with-opentofu.cjs'] },
  ],
};
