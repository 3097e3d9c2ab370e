// `npm run bench -- …`: set-up, then counts and ratios under the locked Node.
'use strict';

const path = require('node:path');
const { bin, prepare, root, run } = require('./prepare.cjs');

prepare();
const typescript = path.join(root, 'provider', 'terraform', 'fixture', 'typescript.cjs');
process.exitCode = run(path.join(bin, 'node'), ['-r', typescript, path.join(root, 'bench', 'main.ts'), ...process.argv.slice(2)]).status ?? 1;
