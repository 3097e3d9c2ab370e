// A lock file with the holder's process id. A lock whose holder is gone is taken over.
'use strict';

const fs = require('node:fs');

const POLL_MS = 500;

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function holderOf(file) {
  try {
    return Number(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

// link() gives the name to one process only, and with its content already in it.
function tryTake(file) {
  const own = `${file}.${process.pid}`;
  fs.writeFileSync(own, String(process.pid));
  try {
    fs.linkSync(own, file);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(own, { force: true });
  }
}

// The rename has one winner, so that a lock which somebody has just taken anew is never thrown away by the second.
function discard(file, holder) {
  const aside = `${file}.stale-${process.pid}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (holderOf(aside) === holder) fs.rmSync(aside, { force: true });
  else fs.renameSync(aside, file);
}

/** Runs `work` while no other process holds `file`; waits for as long as another one lives. */
function withLock(file, say, work) {
  let told = false;
  while (!tryTake(file)) {
    const holder = holderOf(file);
    if (holder !== undefined && !isAlive(holder)) {
      discard(file, holder);
      continue;
    }
    if (!told && holder !== undefined) say(`waiting for process ${holder}, which builds the same`);
    told = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  try {
    return work();
  } finally {
    fs.rmSync(file, { force: true });
  }
}

module.exports = { withLock };
