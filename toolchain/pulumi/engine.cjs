// The pulumi command that the demo and the tests drive: the one on PATH where it is whole and new enough, else the one built from Go modules
// with what a release ships beside it. `node toolchain/pulumi/engine.cjs` builds it where needed and prints its path.
'use strict';

const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { BuildFault, buildPulumi, tryFindPulumi } = require('./build.cjs');
const { commandFolder, nodeFolder } = require('./command-folder.cjs');

/** Since this version programs of every kind may guard deletions by hooks. */
const OLDEST = [3, 187, 0];

function onPath(name) {
  const folders = (process.env.PATH || '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  return folders.map((folder) => path.join(folder, name)).find((file) => {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return fs.statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

/** Version without its `v`; undefined for a command that does not tell one. */
function versionOf(command) {
  const asked = spawnSync(command, ['version'], { encoding: 'utf8', env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: 'true' } });
  return /^v?(\d+\.\d+\.\d+\S*)/.exec(asked.stdout || '')?.[1];
}

function isOld(version) {
  const numbers = version.split('.', 3).map((part) => Number.parseInt(part, 10));
  const differs = OLDEST.findIndex((least, i) => numbers[i] !== least);
  return differs !== -1 && numbers[differs] < OLDEST[differs];
}

function besideOrOnPath(command, name) {
  const beside = path.join(path.dirname(fs.realpathSync(command)), name);
  return fs.existsSync(beside) ? beside : onPath(name);
}

/** The command on PATH with its language host, or the sentence that says why it cannot be used. */
function installed() {
  const command = onPath('pulumi');
  const version = command && versionOf(command);
  if (version === undefined) return { why: 'pulumi is not on PATH' };
  if (isOld(version)) return { why: `pulumi ${version} on PATH is too old: ${OLDEST.join('.')} or newer is needed`, isOld: true };
  if (besideOrOnPath(command, 'pulumi-language-nodejs') === undefined) return { why: `pulumi ${version} is on PATH without its pulumi-language-nodejs` };
  return { engine: { command, version, path: [nodeFolder()] } };
}

function made(pulumi) {
  const folder = commandFolder(pulumi, onPath('pulumi-language-nodejs'));
  const command = path.join(folder, 'pulumi');
  return { command, version: versionOf(command), path: [folder] };
}

function withoutBuilding() {
  const { engine, why } = installed();
  if (engine !== undefined) return { engine };
  const pulumi = tryFindPulumi();
  if (pulumi !== undefined) return { engine: made(pulumi) };
  return { why: `${why}, and none is built: install Pulumi ${OLDEST.join('.')} or newer, or run \`node toolchain/pulumi/engine.cjs\`, which needs Go` };
}

/**
 * `{ engine }`, or `{ why }` with the sentence for the user. Builds nothing. `engine` has the `command`, its `version`, and in `path` the
 * folders that come first on the PATH it runs with: its parts, and a `node` that is new enough.
 */
function lookForEngine() {
  try {
    return withoutBuilding();
  } catch (error) {
    if (!(error instanceof BuildFault)) throw error;
    return { why: error.message };
  }
}

/** The engine, built where there is none. @throws BuildFault with one sentence */
function buildEngine(say = (sentence) => process.stderr.write(`macrack: ${sentence}\n`)) {
  const found = installed();
  if (found.engine !== undefined) return found.engine;
  if (found.isOld) say(`${found.why}; using one that is built from Go modules`);
  return made(buildPulumi());
}

module.exports = { BuildFault, buildEngine, lookForEngine };

if (require.main === module) {
  try {
    process.stdout.write(`${buildEngine().command}\n`);
  } catch (error) {
    if (!(error instanceof BuildFault)) throw error;
    process.stderr.write(`macrack: pulumi cannot be had: ${error.message}\n`);
    process.exitCode = 1;
  }
}
