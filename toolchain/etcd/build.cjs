// etcd from Go modules. `node toolchain/etcd/build.cjs` builds it and prints its path.
'use strict';

const { BuildFault, build } = require('../go-build.cjs');

const etcd = { name: 'etcd', folder: __dirname, module: 'go.etcd.io/etcd/server/v3', commands: ['etcd'], ldflags: () => '' };

module.exports = { etcd };

if (require.main === module) {
  try {
    process.stdout.write(`${build(etcd).etcd}\n`);
  } catch (error) {
    if (!(error instanceof BuildFault)) throw error;
    process.stderr.write(`macrack: etcd cannot be built: ${error.message}\n`);
    process.exitCode = 1;
  }
}
