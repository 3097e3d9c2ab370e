// Set-up that any Node from 20 on can run: installs the locked packages, then builds with the Node 22 that is one of them.
'use strict';

const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');
const bin = path.join(root, 'node_modules', '.bin');

/** Environment in which `node` is the locked Node 22. */
const env = { ...process.env, PATH: bin + path.delimiter + (process.env.PATH || '') };

function stop(sentence) {
  process.stderr.write(`macrack: ${sentence}\n`);
  process.exit(1);
}

function run(command, args, options) {
  return spawnSync(command, args, { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32', ...options });
}

function must(what, command, args) {
  const done = run(command, args, { stdio: ['ignore', 2, 2] });
  if (done.error) stop(`${what}: ${command} could not be started: ${done.error.message}`);
  if (done.status !== 0) stop(`${what} failed (${command} ${args.join(' ')} ended with ${done.status === null ? done.signal : done.status}).`);
}

function lockDigest() {
  return createHash('sha256').update(fs.readFileSync(path.join(root, 'package-lock.json'))).digest('hex');
}

// The stamp is written after a complete install, so that an interrupted one is made again.
function install() {
  const stamp = path.join(root, 'node_modules', '.macrack-lock');
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === lockDigest()) return;
  process.stderr.write('macrack: installing the locked packages (npm ci)\n');
  must('Installing the packages', 'npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error']);
  fs.writeFileSync(stamp, lockDigest());
}

// Programs in the checkout, such as the examples, name the package as its users do.
function linkItself() {
  const link = path.join(root, 'node_modules', 'macrack');
  try {
    fs.symlinkSync('..', link, 'junction');
  } catch (error) {
    if (error.code !== 'EEXIST') stop(`${link} could not be made: ${error.message}`);
  }
}

function checkNode() {
  const asked = spawnSync(path.join(bin, 'node'), ['-p', 'process.versions.node'], { encoding: 'utf8' });
  const [major, minor] = String(asked.stdout || '').trim().split('.').map(Number);
  if (!(major > 22 || (major === 22 && minor >= 19))) stop(`Node 22.19 or newer did not arrive with the packages (found ${asked.stdout ? asked.stdout.trim() : 'none'}); allow the install script of the package "node", or put Node 22.19 on PATH.`);
}

/** Installs the packages; ends the process with one sentence if that fails. */
function preparePackages() {
  if (Number(process.versions.node.split('.')[0]) < 20) stop(`Node 20 or newer is needed to set up; this is ${process.versions.node}.`);
  install();
  linkItself();
  checkNode();
}

/** Installs and builds; ends the process with one sentence if that fails. */
function prepare() {
  preparePackages();
  if (!fs.existsSync(path.join(root, 'dist', 'cli', 'main.js'))) process.stderr.write('macrack: building (a minute or two the first time)\n');
  must('Building', path.join(bin, 'node'), [path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b']);
  must('Bundling the provider', path.join(bin, 'node'), [path.join(__dirname, 'bundle.cjs')]);
}

/** Path of terraform or tofu, whichever is on PATH first; undefined without either. */
function infrastructureTool() {
  return ['terraform', 'tofu'].find((tool) => spawnSync(tool, ['version'], { stdio: 'ignore', shell: process.platform === 'win32' }).status === 0);
}

module.exports = { root, bin, env, stop, run, prepare, infrastructureTool };

if (require.main === module) (process.argv[2] === 'packages' ? preparePackages : prepare)();
