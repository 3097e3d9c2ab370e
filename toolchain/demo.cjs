// `npm run demo`: set-up, then the demo with real terraform or tofu.
'use strict';

const { infrastructureTool, stop } = require('./prepare.cjs');
const { macrack } = require('./macrack.cjs');

if (infrastructureTool() === undefined) stop('The demo drives real terraform or tofu, and neither is on PATH: install Terraform 1.5 or newer (or OpenTofu 1.6 or newer) and run it again.');
macrack(['demo', ...process.argv.slice(2)]);
