// Bundles what terraform and pulumi load, each into one file. They start it several times a command, and most of a start is loading:
// @kubernetes/client-node alone brings 2,700 generated modules, of which reading a kubeconfig needs two.
'use strict';

const path = require('node:path');
const { build } = require('esbuild');
const { deriveCdktn } = require('./cdktn.cjs');

const root = path.resolve(__dirname, '..');

/** The two modules that client-node's `config.js` takes from the index of its generated code. */
const generated = {
  name: 'client-node-without-its-generated-api',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@kubernetes\/client-node$/ }, () => ({ path: require.resolve('@kubernetes/client-node/dist/config.js') }));
    onResolve({ filter: /^\.\/gen\/index\.js$/ }, ({ importer, resolveDir }) => (/client-node.dist.config\.js$/.test(importer) ? { path: resolveDir, namespace: 'generated' } : undefined));
    onLoad({ filter: /.*/, namespace: 'generated' }, ({ path: resolveDir }) => ({
      resolveDir,
      contents: "export { createConfiguration } from './gen/configuration.js';\nexport { ServerConfiguration } from './gen/servers.js';\n",
    }));
  },
};

/** What the engines start or load: the folder of the entry, and its file. What Pulumi has is taken from the program that uses it. */
const entries = [
  { folder: ['provider', 'terraform'], entry: 'main.js', external: [] },
  { folder: ['provider', 'pulumi'], entry: 'provider.js', external: ['@pulumi/*'] },
  { folder: ['components', 'pulumi'], entry: 'index.js', external: ['@pulumi/*', 'macrack/*'] },
];

/** Writes a bundle.js beside each entry in dist, from the compiled sources. */
async function bundle() {
  await Promise.all(entries.map(({ folder, entry, external }) => build({
    entryPoints: [path.join(root, 'dist', ...folder, entry)],
    outfile: path.join(root, 'dist', ...folder, 'bundle.js'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    logLevel: 'warning',
    plugins: [generated],
    external,
  })));
}

module.exports = { bundle };

if (require.main === module) {
  deriveCdktn();
  bundle().catch(() => { process.exitCode = 1; });
}
