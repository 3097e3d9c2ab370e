// Builds commands of a Go module into the cache, once for each set of module versions, Go version and platform.
'use strict';

const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { withLock } = require('./go-build-lock.cjs');

/** A binary that cannot be had; the message is one sentence for the user. */
class BuildFault extends Error {}

function cacheRoot() {
  return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'macrack', 'toolchain');
}

function go(folder, args) {
  const done = spawnSync('go', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 << 20, env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' } });
  if (done.error && done.error.code === 'ENOENT') throw new BuildFault('Go is not on PATH');
  if (done.error) throw new BuildFault(`go could not be started: ${done.error.message}`);
  if (done.status !== 0) throw new BuildFault(`go ${args[0]} in ${folder} ended with ${done.status === null ? done.signal : done.status}: ${done.stderr.trim().split('\n').slice(-5).join(' | ')}`);
  return done.stdout;
}

/** Version that a folder's go.mod requires of a module. */
function moduleVersion(folder, name) {
  const found = new RegExp(`\\s${name.replaceAll('.', '\\.')} (v\\S+)`).exec(fs.readFileSync(path.join(folder, 'go.mod'), 'utf8'));
  if (found === null) throw new Error(`${folder}/go.mod does not require ${name}`);
  return found[1];
}

function sources(folder) {
  return fs.readdirSync(folder, { recursive: true }).filter((name) => /(^go\.(mod|sum)|\.go)$/.test(name)).sort();
}

// A changed checksum, main or linker flag is another binary.
function fingerprint({ folder, ldflags }, version) {
  const digest = createHash('sha256').update(ldflags(version));
  for (const name of sources(folder)) digest.update(`\0${name}\0`).update(fs.readFileSync(path.join(folder, name)));
  return digest.digest('hex').slice(0, 12);
}

/**
 * Where the commands of a module are, or would be, on this machine.
 * @param set { name, folder, module, commands: names of folders with a main, ldflags(version), packages?: import path of a command that is a main package of the module itself }
 * @throws BuildFault without Go
 */
function locate(set) {
  const version = moduleVersion(set.folder, set.module);
  const [release, system, machine] = go(set.folder, ['env', 'GOVERSION', 'GOOS', 'GOARCH']).trim().split('\n');
  const directory = path.join(cacheRoot(), `${set.name}-${version}-${release}-${system}-${machine}-${fingerprint(set, version)}`);
  return { version, directory, suffix: system === 'windows' ? '.exe' : '' };
}

const filesOf = ({ directory, suffix }, commands) => Object.fromEntries(commands.map((command) => [command, path.join(directory, command + suffix)]));
const missing = (files) => Object.keys(files).filter((command) => !fs.existsSync(files[command]));

// A binary appears under its name only when it is whole, so that an interrupted build is made again.
function compile(set, { version, directory }, files, wanted) {
  const staging = fs.mkdtempSync(path.join(directory, '.building-'));
  try {
    go(set.folder, ['build', '-mod=readonly', '-buildvcs=false', '-trimpath', '-ldflags', `-s -w ${set.ldflags(version)}`, '-o', staging + path.sep, ...wanted.map((command) => set.packages?.[command] ?? `./${command}`)]);
    for (const command of wanted) fs.renameSync(path.join(staging, path.basename(files[command])), files[command]);
  } finally {
    fs.rmSync(staging, { recursive: true, force: true });
  }
}

/** Paths of the commands by name if all are built; undefined otherwise, also without Go. Builds nothing. */
function tryFindBuilt(set) {
  try {
    const files = filesOf(locate(set), set.commands);
    return missing(files).length === 0 ? files : undefined;
  } catch (error) {
    if (error instanceof BuildFault) return undefined;
    throw error;
  }
}

/**
 * Builds what is not there yet and returns the paths of the commands by name. Two builders at once wait for each other.
 * @throws BuildFault with one sentence
 */
function build(set, say = (sentence) => process.stderr.write(`macrack: ${sentence}\n`)) {
  const place = locate(set);
  const files = filesOf(place, set.commands);
  if (missing(files).length === 0) return files;
  fs.mkdirSync(place.directory, { recursive: true });
  withLock(`${place.directory}.lock`, say, () => {
    const wanted = missing(files);
    if (wanted.length === 0) return;
    say(`building ${wanted.join(', ')} ${place.version} from Go modules (minutes the first time)`);
    compile(set, place, files, wanted);
  });
  return files;
}

module.exports = { BuildFault, build, tryFindBuilt };
