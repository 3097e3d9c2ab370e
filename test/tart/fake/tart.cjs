#!/usr/bin/env node
// Stands in for tart: the commands, options, outputs and exit codes of its command line, over files in TART_HOME, with a kernel that counts.
// What it should do wrong is in TART_HOME/fake/faults.json; see fake-mac.ts.
'use strict';

const { randomBytes, randomUUID } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const home = process.env.TART_HOME;
const at = (...parts) => path.join(home, ...parts);
const vm = (name, ...parts) => at('vms', name, ...parts);
const FILES = ['config.json', 'nvram.bin', 'disk.img'];

class Fault extends Error {
  constructor(message, code = 1) {
    super(message);
    this.code = code;
  }
}
const usage = (message) => new Fault(`Error: ${message}\nUsage: tart <subcommand>\n  See 'tart --help' for more information.`, 64);
const absent = (name) => new Fault(`the specified VM "${name}" does not exist`, 2);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function readJson(file, otherwise) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return otherwise;
    throw error;
  }
}

const faults = () => readJson(at('fake', 'faults.json'), {});
function takeFault(name) {
  const all = faults();
  const { [name]: value, ...rest } = all;
  if (value) fs.writeFileSync(at('fake', 'faults.json'), JSON.stringify(rest));
  return value;
}

function note(line) {
  fs.appendFileSync(at('fake', 'commands.jsonl'), `${JSON.stringify(line)}\n`);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(fs.existsSync(`/proc/${pid}/stat`) ? fs.readFileSync(`/proc/${pid}/stat`, 'utf8') : '');
  } catch {
    return false;
  }
}

// Locks of tart itself (fcntl on config.json): the process that runs a machine.
const lockFile = (name) => at('fake', 'locks', name);
function pidOf(name) {
  const pid = Number(fs.existsSync(lockFile(name)) ? fs.readFileSync(lockFile(name), 'utf8') : 0);
  return pid > 0 && isAlive(pid) ? pid : 0;
}
const isWhole = (name) => FILES.every((file) => fs.existsSync(vm(name, file)));
const names = () => (fs.existsSync(at('vms')) ? fs.readdirSync(at('vms')).filter(isWhole).sort() : []);
const configOf = (name) => readJson(vm(name, 'config.json'));
const saveConfig = (name, config) => fs.writeFileSync(vm(name, 'config.json'), JSON.stringify(config, null, 2));
function open(name) {
  if (!fs.existsSync(vm(name))) throw absent(name);
  if (!isWhole(name)) throw new Fault('VM is missing some of its files (config.json, disk.img or nvram.bin)');
}
function randomMac() {
  return ['02', ...[...randomBytes(5)].map((byte) => byte.toString(16).padStart(2, '0'))].join(':');
}

// One at a time, as the kernel counts.
async function exclusively(work) {
  for (;;) {
    try {
      fs.mkdirSync(at('fake', 'kernel.lock'));
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      await sleep(5);
    }
  }
  try {
    return work();
  } finally {
    fs.rmdirSync(at('fake', 'kernel.lock'));
  }
}
const slotFiles = () => fs.readdirSync(at('fake', 'slots'));
function settleSlots() {
  for (const slot of slotFiles()) {
    const held = fs.readFileSync(at('fake', 'slots', slot), 'utf8');
    if (held === 'leaked' || isAlive(Number(held))) continue;
    if (takeFault('leakNextSlot')) fs.writeFileSync(at('fake', 'slots', slot), 'leaked');
    else fs.rmSync(at('fake', 'slots', slot));
  }
}
function takeSlot() {
  return exclusively(() => {
    settleSlots();
    if (slotFiles().length >= 2) return false;
    fs.writeFileSync(at('fake', 'slots', randomUUID()), String(process.pid));
    return true;
  });
}
function giveSlot() {
  for (const slot of slotFiles()) {
    if (fs.readFileSync(at('fake', 'slots', slot), 'utf8') !== String(process.pid)) continue;
    if (takeFault('leakNextSlot')) fs.writeFileSync(at('fake', 'slots', slot), 'leaked');
    else fs.rmSync(at('fake', 'slots', slot));
  }
}

const commands = {
  list: {
    options: ['--source', '--format'], flags: ['--quiet', '-q'], args: 0,
    run(_, options) {
      if (options['--source'] && !['local', 'oci'].includes(options['--source'])) throw usage(`'${options['--source']}' is not a valid <source>`);
      const infos = names().map((name) => ({ Size: 20, Running: pidOf(name) !== 0, Name: name, Accessed: '2026-01-01T00:00:00Z', Disk: 50, State: pidOf(name) ? 'running' : 'stopped', Source: 'local' }));
      if (faults().listAnswer !== undefined) return faults().listAnswer;
      return options['--format'] === 'json' ? JSON.stringify(infos, null, 2) : infos.map(({ Source, Name, State }) => `${Source} ${Name} ${State}`).join('\n');
    },
  },
  clone: {
    options: ['--concurrency', '--prune-limit'], flags: ['--insecure', '--deduplicate'], args: 2,
    async run([source, name]) {
      if (name.includes('/')) throw usage('<new-name> should be a local name');
      if (faults().registryError) throw new Fault(faults().registryError);
      const image = source.includes('/') ? readJson(at('fake', 'images.json'), {})[source] : (open(source), configOf(source));
      if (image === undefined) throw new Fault('Error: UnexpectedHTTPStatusCode(when: "pulling manifest", code: 404, details: "not found")');
      const temporary = at('tmp', randomUUID());
      fs.mkdirSync(temporary, { recursive: true });
      const isMacTaken = names().some((other) => configOf(other).macAddress === image.macAddress);
      fs.writeFileSync(path.join(temporary, 'config.json'), JSON.stringify(isMacTaken ? { ...image, macAddress: randomMac() } : image));
      for (const file of ['nvram.bin', 'disk.img']) fs.writeFileSync(path.join(temporary, file), source);
      await sleep(faults().cloneMs ?? 0);
      fs.mkdirSync(at('vms'), { recursive: true });
      fs.rmSync(vm(name), { recursive: true, force: true });
      fs.renameSync(temporary, vm(name));
    },
  },
  set: {
    options: ['--cpu', '--memory', '--display', '--disk', '--disk-size'], flags: ['--random-mac', '--random-serial', '--display-refit', '--no-display-refit'], args: 1,
    run([name], options) {
      open(name);
      const config = configOf(name);
      const isChanging = !faults().keepIdentity;
      if (options['--cpu'] !== undefined && Number(options['--cpu']) < config.cpuCountMin) throw new Fault(`LessThanMinimalResourcesError: VM should have ${config.cpuCountMin} CPU cores at minimum (requested ${options['--cpu']})`);
      saveConfig(name, {
        ...config, cpuCount: Number(options['--cpu'] ?? config.cpuCount), memorySize: Number(options['--memory'] ?? 0) * 1024 * 1024 || config.memorySize,
        ...(options['--random-mac'] && isChanging ? { macAddress: randomMac() } : {}),
        ...(options['--random-serial'] && isChanging && config.ecid ? { ecid: randomBytes(24).toString('base64') } : {}),
      });
      const size = Number(options['--disk-size'] ?? 50);
      if (size < 50) throw new Fault(`new disk size of ${size} GB should be larger than the current disk size of 50 GB`);
    },
  },
  rename: {
    options: [], flags: [], args: 2,
    run([name, other]) {
      if (!isWhole(name)) throw usage(`failed to rename a non-existent local VM: ${name}`);
      if (isWhole(other)) throw usage(`failed to rename VM ${name}, target VM ${other} already exists, delete it first!`);
      fs.renameSync(vm(name), vm(other));
    },
  },
  delete: {
    options: [], flags: [], args: 1,
    run([name]) {
      if (!fs.existsSync(vm(name, 'config.json'))) throw absent(name);
      if (pidOf(name)) throw new Fault(`VM "${name}" is running`);
      if (faults().interruptDelete) {
        fs.rmSync(vm(name, 'config.json'));
        process.kill(process.pid, 'SIGKILL');
      }
      fs.rmSync(vm(name), { recursive: true });
    },
  },
  ip: {
    options: ['--wait', '--resolver'], flags: [], args: 1,
    run([name]) {
      open(name);
      const lease = readJson(at('fake', 'leases', configOf(name).macAddress));
      if (!pidOf(name) || lease === undefined) throw new Fault(`no IP address found${pidOf(name) ? '' : ', is your VM running?'}`);
      return lease;
    },
  },
  exec: {
    options: [], flags: ['-i', '-t'], args: Infinity,
    run([name, ...command]) {
      open(name);
      if (!pidOf(name)) throw new Fault(`VM "${name}" is not running`, 2);
      if (!faults().guestAgent) throw new Fault('Failed to connect to the VM using its control socket: connection refused, is the Tart Guest Agent running?');
      if (!command.join(' ').includes('shutdown -h now')) throw new Fault('', 127);
      process.kill(pidOf(name), 'SIGUSR2');
    },
  },
  stop: {
    options: ['--timeout', '-t'], flags: [], args: 1,
    async run([name], options) {
      open(name);
      const pid = pidOf(name);
      if (pid === 0) throw new Fault(`VM "${name}" is not running`, 2);
      if (faults().stopError) throw new Fault(faults().stopError);
      process.kill(pid, 'SIGINT');
      for (let left = Number(options['--timeout'] ?? options['-t'] ?? 30); left > 0; left -= 0.1) {
        if (pidOf(name) === 0) return;
        await sleep(100);
      }
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    },
  },
  run: {
    options: ['--serial-path', '--disk', '--rosetta', '--dir', '--net-bridged', '--net-softnet-allow', '--net-softnet-block', '--net-softnet-expose', '--root-disk-opts'],
    flags: ['--no-graphics', '--serial', '--graphics', '--no-audio', '--no-clipboard', '--recovery', '--vnc', '--vnc-experimental', '--nested', '--net-softnet', '--net-host', '--suspendable', '--capture-system-keys', '--no-trackpad', '--no-pointer', '--no-keyboard'],
    args: 1,
    async run([name]) {
      open(name);
      const running = names().filter((other) => other !== name && pidOf(other));
      if (running.some((other) => configOf(other).macAddress === configOf(name).macAddress)) {
        process.stdout.write('There is already a running VM with the same MAC address!\nResetting VM to assign a new MAC address...\n');
        saveConfig(name, { ...configOf(name), macAddress: randomMac() });
      }
      if (pidOf(name)) throw new Fault(`VM "${name}" is already running!`, 2);
      fs.writeFileSync(lockFile(name), String(process.pid));
      await sleep(faults().startMs ?? 0);
      const failure = takeFault('failNextStart');
      if (failure) throw new Fault(failure);
      if (!await takeSlot()) throw new Fault(`The number of VMs exceeds the system limit${running.length ? ` (other running VMs: ${running.join(', ')})` : ''}`);
      const end = () => {
        giveSlot();
        process.exit(0);
      };
      process.on('SIGINT', () => setTimeout(end, faults().ignoreInterruptMs ?? 0));
      process.on('SIGUSR2', () => setTimeout(end, faults().guestStopMs ?? 0));
      if (!faults().noControlSocket) {
        fs.rmSync(vm(name, 'control.sock'), { force: true });
        fs.writeFileSync(vm(name, 'control.sock'), '');
      }
      if (!faults().noIP) {
        fs.writeFileSync(at('fake', 'leases', configOf(name).macAddress), JSON.stringify(`192.168.64.${2 + (process.pid % 250)}`));
      }
      // A machine does not outlive the directory of its Mac.
      setInterval(() => fs.existsSync(vm(name)) || process.exit(0), 500);
      return new Promise(() => undefined);
    },
  },
};

function parse(spec, words) {
  const [args, options] = [[], {}];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i];
    if (args.length > 0 && spec.args === Infinity) args.push(word);
    else if (spec.flags.includes(word)) options[word] = true;
    else if (spec.options.includes(word)) {
      if (words[i + 1] === undefined) throw usage(`Missing value for '${word}'`);
      options[word] = words[i += 1];
    } else if (word.startsWith('-')) throw usage(`Unknown option '${word}'`);
    else args.push(word);
  }
  if (args.length > spec.args) throw usage(`Unexpected argument '${args[spec.args]}'`);
  if (args.length < Math.min(spec.args, 1)) throw usage('Missing expected argument');
  return { args, options };
}

async function main([name, ...words]) {
  // The Mac is gone: a command of a driver that was killed comes too late.
  if (!fs.existsSync(at('fake'))) return;
  for (const folder of ['slots', 'locks', 'leases']) fs.mkdirSync(at('fake', folder), { recursive: true });
  const spec = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
  if (spec === undefined) throw usage(`Unexpected argument '${name}'`);
  const { args, options } = parse(spec, words);
  note({ command: [name, ...words], environment: Object.keys(process.env).sort() });
  const answer = await spec.run(args, options);
  if (answer !== undefined) process.stdout.write(`${answer}\n`);
}

main(process.argv.slice(2)).catch((error) => {
  if (!(error instanceof Fault)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.code);
});
