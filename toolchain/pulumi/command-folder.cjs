// Folders to put first on PATH. The engine takes its parts without a warning only from the folder that it lies in itself.
'use strict';

const { createHash } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { BuildFault } = require('../go-build.cjs');

const OLDEST_NODE = [22, 19];

function isEnough([major, minor]) {
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** The Node of the locked packages; in an installed package the one that runs this. */
function lockedNode() {
  const locked = path.join(__dirname, '..', '..', 'node_modules', 'node', 'bin', 'node');
  if (fs.existsSync(locked)) return fs.realpathSync(locked);
  if (isEnough(process.versions.node.split('.').map(Number))) return process.execPath;
  throw new BuildFault(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}`);
}

/** From the package @pulumi/pulumi; what runs dynamic resources. */
function dynamicProvider() {
  try {
    return path.join(path.dirname(require.resolve('@pulumi/pulumi/package.json')), 'pulumi-resource-pulumi-nodejs');
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    throw new BuildFault('the package @pulumi/pulumi is not installed');
  }
}

const quote = (word) => `'${word.replaceAll("'", `'\\''`)}'`;

// The launcher replaces itself by Node, so that the engine's signals reach the host.
const standIn = (node) => `#!/bin/sh\nexec ${quote(node)} ${quote(path.join(__dirname, 'language-host.cjs'))} "$@"\n`;

// A folder appears under its name only when it is whole; of two who make it at once one wins.
function made(parent, name, contents, fill) {
  const folder = path.join(parent, `${name}-${createHash('sha256').update(contents.join('\0')).digest('hex').slice(0, 12)}`);
  if (fs.existsSync(folder)) return folder;
  const staging = fs.mkdtempSync(path.join(parent, `.${name}-`));
  try {
    fill(staging);
    fs.renameSync(staging, folder);
  } catch (error) {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
  return folder;
}

/**
 * A folder with a built `pulumi`, `pulumi-language-nodejs`, `pulumi-resource-pulumi-nodejs` and `node`, beside the build.
 * @param languageHost the maker's own, if there is one; else the stand-in of this folder
 * @throws BuildFault with one sentence
 */
function commandFolder(pulumi, languageHost) {
  const node = lockedNode();
  const provider = dynamicProvider();
  return made(fs.realpathSync(path.dirname(pulumi)), 'command', [node, languageHost ?? standIn(node), fs.readFileSync(provider, 'utf8')], (folder) => {
    fs.linkSync(pulumi, path.join(folder, 'pulumi'));
    fs.symlinkSync(node, path.join(folder, 'node'));
    fs.copyFileSync(provider, path.join(folder, 'pulumi-resource-pulumi-nodejs'));
    if (languageHost === undefined) fs.writeFileSync(path.join(folder, 'pulumi-language-nodejs'), standIn(node), { mode: 0o755 });
    else fs.symlinkSync(languageHost, path.join(folder, 'pulumi-language-nodejs'));
  });
}

/** A folder with just that `node`, for a command that is installed whole. */
function nodeFolder() {
  const node = lockedNode();
  const parent = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'macrack', 'toolchain');
  fs.mkdirSync(parent, { recursive: true });
  return made(parent, 'node', [node], (folder) => fs.symlinkSync(node, path.join(folder, 'node')));
}

module.exports = { commandFolder, nodeFolder };
