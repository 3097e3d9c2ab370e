// Makes the constructs for cdktn of those for cdktf: the same source, which the project components/cdktn compiles against the types of cdktn.
// What is left to do is the name of the package that the compiled files import.
'use strict';

const fs = require('node:fs');
const path = require('node:path');

const dist = path.resolve(__dirname, '..', 'dist', 'components');

/** Only where a module is named, in code and in declarations; texts and comments stay as they are. */
const IMPORTED = /(\b(?:from|require\(|import\()\s*)(["'])cdktf\2/g;

/** Writes dist/components/cdktn from the compiled dist/components/cdktf. */
function deriveCdktn() {
  const [from, to] = [path.join(dist, 'cdktf'), path.join(dist, 'cdktn')];
  fs.rmSync(to, { recursive: true, force: true });
  for (const entry of fs.readdirSync(from, { recursive: true, withFileTypes: true })) {
    const file = path.relative(from, path.join(entry.parentPath, entry.name));
    if (!entry.isFile() || !/\.(js|d\.ts)$/.test(file)) continue;
    const text = fs.readFileSync(path.join(from, file), 'utf8').replace(IMPORTED, '$1$2cdktn$2').replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
    fs.mkdirSync(path.dirname(path.join(to, file)), { recursive: true });
    fs.writeFileSync(path.join(to, file), text);
  }
}

module.exports = { deriveCdktn };

if (require.main === module) deriveCdktn();
