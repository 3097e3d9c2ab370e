// The packages that a program names, for `pulumi about`.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Name and version of each; the range that is asked for where the package is not installed beside the program. */
function dependencies(directory) {
  const manifest = read(path.join(directory, 'package.json'));
  return Object.entries({ ...manifest?.dependencies, ...manifest?.devDependencies })
    .map(([name, range]) => ({ name, version: read(path.join(directory, 'node_modules', name, 'package.json'))?.version ?? range }));
}

module.exports = { dependencies };
