// `npm run demo`: set-up, then the demo with real terraform or tofu.
'use strict';

const path = require('node:path');
const { bin, env, infrastructureTool, prepare, root, stop } = require('./prepare.cjs');
const { spawn } = require('node:child_process');

if (infrastructureTool() === undefined) stop('The demo drives real terraform or tofu, and neither is on PATH: install Terraform 1.5 or newer (or OpenTofu 1.6 or newer) and run it again.');
prepare();
const child = spawn(path.join(bin, 'node'), [path.join(root, 'dist', 'cli', 'main.js'), 'demo', ...process.argv.slice(2)], { cwd: root, env, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code === null ? 128 + (signal === 'SIGINT' ? 2 : 15) : code));
