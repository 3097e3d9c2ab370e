// The arrows of the architecture: what a part may import. Anything else is an error.
const parts = {
  'sdk/rules': [],
  'sdk/api': ['sdk/rules'],
  'sdk/client': ['sdk/rules', 'sdk/api'],
  'provider/core': ['sdk'],
  operator: ['sdk'],
  agent: ['sdk/api', 'sdk/client'],
  'provider/terraform': ['sdk', 'provider/core'],
  'provider/pulumi': ['sdk', 'provider/core'],
  'components/pulumi': ['sdk', 'provider/core', 'provider/pulumi'],
  'components/emit': ['provider/terraform'],
  'components/cdktf': ['sdk', 'provider/core'],
  devplane: ['sdk', 'operator', 'agent'],
  realplane: ['sdk', 'operator', 'agent', 'devplane'],
  cli: ['sdk', 'provider', 'operator', 'agent', 'devplane', 'realplane'],
  bench: ['sdk', 'provider', 'operator', 'agent', 'devplane', 'realplane', 'cli'],
};
const walls = Object.entries(parts).map(([part, may]) => ({
  name: `wall-${part.replaceAll('/', '-')}`,
  severity: 'error',
  from: { path: `^${part}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^(sdk|provider|components|operator|agent|devplane|realplane|cli|bench|test)/', pathNot: `^(${[part, ...may].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...walls,
    { name: 'rules-import-nothing', severity: 'error', comment: 'sdk/rules is the law: no package, no builtin.', from: { path: '^sdk/rules/', pathNot: '\\.test\\.ts$' }, to: { pathNot: '^sdk/rules/' } },
    { name: 'one-door-to-client-node', severity: 'error', comment: '@kubernetes/client-node costs 300 ms to load: only sdk/client imports it.', from: { pathNot: '^(sdk/client|test)/' }, to: { path: 'node_modules/@kubernetes/client-node' } },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'kebab-case-files', severity: 'error', from: {}, to: { path: '^(sdk|provider|components|operator|agent|devplane|realplane|cli|bench|test|examples)/.*[A-Z_]' } },
    { name: 'no-drawers', severity: 'error', from: {}, to: { path: '(^|/)(utils?|helpers?|common|misc)(/|\\.ts$)' } },
  ],
  options: { doNotFollow: { path: 'node_modules' }, exclude: { path: '^dist/' }, tsPreCompilationDeps: true, tsConfig: { fileName: 'tsconfig.base.json' }, enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'], conditionNames: ['import', 'require', 'node', 'default'] } },
};
