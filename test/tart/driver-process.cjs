// An agent's process as far as the driver goes: one call of it, killed by SIGKILL before its nth command or while that runs.
// Prints how many commands the call has given when it is not killed.
'use strict';

const { realSubprocesses, tartHypervisor } = require('../../dist/agent/drivers/tart');

const { options, method, args, kill } = JSON.parse(process.argv[2]);
let given = 0;

function counted(name) {
  return (...parameters) => {
    given += 1;
    if (given === kill?.at && kill.side === 'before') process.kill(process.pid, 'SIGKILL');
    const work = realSubprocesses[name](...parameters);
    if (given === kill?.at) setImmediate(() => process.kill(process.pid, 'SIGKILL'));
    return work;
  };
}

const driver = tartHypervisor({ ...options, subprocesses: { run: counted('run'), launch: counted('launch'), kill: realSubprocesses.kill } });
driver[method](...args).then(() => process.stdout.write(String(given)));
