// `npm run macrack -- …`: set-up, then the command line of this checkout under the locked Node.
'use strict';

const path = require('node:path');
const { spawn } = require('node:child_process');
const { bin, env, prepare, root } = require('./prepare.cjs');

/** @param between what else to set up, once the packages are there */
function macrack(args, between = () => undefined) {
  prepare();
  between();
  const child = spawn(path.join(bin, 'node'), [path.join(root, 'dist', 'cli', 'main.js'), ...args], { cwd: process.env.INIT_CWD || process.cwd(), env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code === null ? 128 + (signal === 'SIGINT' ? 2 : 15) : code));
}

module.exports = { macrack };

if (require.main === module) macrack(process.argv.slice(2));
