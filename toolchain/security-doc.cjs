// `npm run generate:security`: the tables of docs/security.md from the bypass suite's own table and from deploy/policies. The suite compares.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { buildSync } = require('esbuild');

const root = path.resolve(__dirname, '..');
const directory = path.join(root, 'node_modules', '.cache', 'macrack');
const outfile = path.join(directory, 'security-doc.cjs');

fs.mkdirSync(directory, { recursive: true });
buildSync({ entryPoints: [path.join(root, 'test', 'bypass', 'document.ts')], outfile, bundle: true, platform: 'node', target: 'node22', format: 'cjs', packages: 'external', logLevel: 'warning' });
const wasStale = require(outfile).write(root);
process.stdout.write(wasStale ? 'docs/security.md is written anew\n' : 'docs/security.md is current\n');
