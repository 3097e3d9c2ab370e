// The tofu command from Go modules. `node toolchain/opentofu/build.cjs` builds it and prints its path.
'use strict';

const { spawnSync } = require('node:child_process');
const { BuildFault, build, tryFindBuilt } = require('../go-build.cjs');

const opentofu = {
  name: 'opentofu', folder: __dirname, module: 'github.com/opentofu/opentofu', commands: ['tofu'],
  packages: { tofu: 'github.com/opentofu/opentofu/cmd/tofu' },
  ldflags: () => '-X github.com/opentofu/opentofu/version.dev=no',
};

/** Path of the command; undefined unless it is built. Builds nothing. */
function tryFindTofu() {
  return tryFindBuilt(opentofu)?.tofu;
}

/** The same, built where absent. @throws BuildFault with one sentence */
function buildTofu() {
  return build(opentofu).tofu;
}

/** The command on PATH, else the one that is built. @throws BuildFault with one sentence */
function obtainTofu() {
  const asked = spawnSync('tofu', ['version'], { stdio: 'ignore' });
  return asked.status === 0 ? 'tofu' : buildTofu();
}

module.exports = { BuildFault, buildTofu, obtainTofu, tryFindTofu };

if (require.main === module) {
  try {
    process.stdout.write(`${buildTofu()}\n`);
  } catch (error) {
    if (!(error instanceof BuildFault)) throw error;
    process.stderr.write(`macrack: tofu cannot be built: ${error.message}\n`);
    process.exitCode = 1;
  }
}
