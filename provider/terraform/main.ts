/* eslint-disable @typescript-eslint/no-require-imports -- the check of Node must run before anything is loaded that an old one cannot read */
import { NEEDED_NODE, unfitNode } from './node-version';

if (unfitNode(process.versions.node, NEEDED_NODE) !== undefined) {
  process.stderr.write(unfitNode(process.versions.node, NEEDED_NODE) + '\n');
  process.exit(1);
}

import command = require('./walk/command');
import provider = require('./provider');
import start = require('./run');

void start.run(() => provider.macrackProvider({ marker: command.markerOfCommand() }));
