// The binaries of a real control plane from Go modules. `node toolchain/kubernetes/build.cjs` builds them and prints their paths.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { BuildFault, build, tryFindBuilt } = require('../go-build.cjs');
const { etcd } = require('../etcd/build.cjs');

function ldflags(version) {
  const [major, minor] = version.slice(1).split('.');
  const set = { gitVersion: version, gitMajor: major, gitMinor: minor };
  return Object.entries(set).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`).join(' ');
}

const kubernetes = {
  name: 'kubernetes', folder: __dirname, module: 'k8s.io/kubernetes', ldflags,
  commands: ['kube-apiserver', 'kube-scheduler', 'kube-controller-manager', 'kubectl'],
};

const sets = [etcd, kubernetes];
const names = sets.flatMap(({ commands }) => commands);

// Binaries that somebody else built: a directory with all of them.
function given() {
  const directory = process.env.MACRACK_KUBERNETES_BIN;
  if (!directory) return undefined;
  const files = Object.fromEntries(names.map((name) => [name, path.join(directory, name)]));
  const absent = names.filter((name) => !fs.existsSync(files[name]));
  if (absent.length > 0) throw new BuildFault(`MACRACK_KUBERNETES_BIN names ${directory}, which lacks ${absent.join(', ')}`);
  return files;
}

function collect(find) {
  const parts = sets.map((set) => find(set));
  return parts.includes(undefined) ? undefined : Object.assign({}, ...parts);
}

/** Paths of etcd, kube-apiserver, kube-scheduler, kube-controller-manager and kubectl by name; undefined unless all are there. Builds nothing. */
function tryFindPlane() {
  return given() || collect(tryFindBuilt);
}

/** The same, built where absent. @throws BuildFault with one sentence */
function buildPlane() {
  return given() || collect((set) => build(set));
}

module.exports = { BuildFault, buildPlane, tryFindPlane };

if (require.main === module) {
  try {
    process.stdout.write(`${Object.values(buildPlane()).join('\n')}\n`);
  } catch (error) {
    if (!(error instanceof BuildFault)) throw error;
    process.stderr.write(`macrack: the real control plane cannot be built: ${error.message}\n`);
    process.exitCode = 1;
  }
}
