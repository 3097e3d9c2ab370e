// Loaded into an agent before anything else (own-deaths.ts): it kills itself by SIGKILL at one of its own steps, which no proxy sees.
'use strict';

const files = require('node:fs/promises');
const path = require('node:path');
const driver = require(path.resolve(__dirname, '..', '..', '..', 'dist', 'agent', 'drivers', 'sim', 'durable-hypervisor.js'));

const { step, moment } = JSON.parse(process.env.DIE_AT);
// The process is gone before this returns.
const die = () => process.kill(process.pid, 'SIGKILL');

function titleOf(line) {
  const { body } = JSON.parse(line);
  return `journal ${body.kind === 'Event' ? body.entry.event : body.kind}`;
}

/** The journal on the disk: its file may end in the middle of a line. */
function mortalFile(file) {
  const { write, sync } = file;
  let isLast = false;
  file.write = async (bytes, offset, length, position) => {
    const isStep = titleOf(bytes.toString('utf8')) === step;
    if (isStep && moment === 'before') die();
    if (isStep && moment === 'torn') {
      await write.call(file, bytes, offset, Math.floor(length / 2), position);
      die();
    }
    isLast = isStep;
    return write.call(file, bytes, offset, length, position);
  };
  file.sync = async () => {
    await sync.call(file);
    if (isLast) die();
  };
  return file;
}

const { open } = files;
files.open = async (name, ...rest) => {
  const file = await open(name, ...rest);
  return path.basename(String(name)) === 'journal.jsonl' ? mortalFile(file) : file;
};

/** The hypervisor, which has done what it was asked even though nobody hears of it. */
const { durableSimHypervisor } = driver;
driver.durableSimHypervisor = (mac) => {
  const hypervisor = durableSimHypervisor(mac);
  const verb = step.replace(/^hypervisor /, '');
  const call = hypervisor[verb];
  if (call === undefined) return hypervisor;
  return {
    ...hypervisor,
    [verb]: async (...args) => {
      if (moment === 'before') die();
      await call(...args);
      die();
    },
  };
};
