// The pulumi command from Go modules. `node toolchain/pulumi/build.cjs` builds it and prints its path.
'use strict';

const { BuildFault, build, tryFindBuilt } = require('../go-build.cjs');

const pulumi = {
  name: 'pulumi', folder: __dirname, module: 'github.com/pulumi/pulumi/pkg/v3', commands: ['pulumi'],
  packages: { pulumi: 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi' },
  ldflags: (version) => `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${version}`,
};

/** Path of the command; undefined unless it is built. Builds nothing. */
function tryFindPulumi() {
  return tryFindBuilt(pulumi)?.pulumi;
}

/** The same, built where absent. @throws BuildFault with one sentence */
function buildPulumi() {
  return build(pulumi).pulumi;
}

module.exports = { BuildFault, buildPulumi, tryFindPulumi };

if (require.main === module) {
  try {
    process.stdout.write(`${buildPulumi()}\n`);
  } catch (error) {
    if (!(error instanceof BuildFault)) throw error;
    process.stderr.write(`macrack: pulumi cannot be built: ${error.message}\n`);
    process.exitCode = 1;
  }
}
