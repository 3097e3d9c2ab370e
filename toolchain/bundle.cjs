// Bundles the Terraform provider into one file. Terraform starts it several times a command, and most of a start is loading:
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

/** Writes dist/provider/terraform/bundle.js from the compiled sources. */
async function bundle() {
  await build({
    entryPoints: [path.join(root, 'dist', 'provider', 'terraform', 'main.js')],
    outfile: path.join(root, 'dist', 'provider', 'terraform', 'bundle.js'),
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    logLevel: 'warning',
    plugins: [generated],
  });
}

module.exports = { bundle };

if (require.main === module) {
  deriveCdktn();
  bundle().catch(() => { process.exitCode = 1; });
}
