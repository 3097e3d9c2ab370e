// `npm run demo`: set-up, then the demo with real terraform (or tofu) and real pulumi, each where it can be had.
'use strict';

const { infrastructureTool, stop } = require('./prepare.cjs');
const { macrack } = require('./macrack.cjs');

const args = process.argv.slice(2);
const isAsked = (flag) => args.includes(flag);

// Loaded only once the packages are installed.
const toolchain = () => require('./pulumi/engine.cjs');

// Where Go is on PATH pulumi can be had, in minutes the first time. The demo itself says why it goes without.
function obtainPulumi() {
  if (isAsked('--terraform')) return;
  const { BuildFault, buildEngine, lookForEngine } = toolchain();
  try {
    if (lookForEngine().engine === undefined) buildEngine();
  } catch (error) {
    if (!(error instanceof BuildFault)) throw error;
    if (isAsked('--pulumi') || infrastructureTool() === undefined) stop(`pulumi cannot be had: ${error.message}. Install Pulumi 3.187 or newer, or Go, and run it again.`);
    process.stderr.write(`macrack: pulumi cannot be had: ${error.message}\n`);
  }
}

if (isAsked('--terraform') && infrastructureTool() === undefined) stop('Neither terraform nor tofu is on PATH: install Terraform 1.5 or newer (or OpenTofu 1.6 or newer) and run it again.');
macrack(['demo', ...args], obtainPulumi);
