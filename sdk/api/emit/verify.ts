import { execFileSync, spawnSync } from 'node:child_process';
import { GENERATED_FOLDERS } from './generated-files';
import { writeGenerated } from './write-generated';

function untracked(): string[] {
  const out = execFileSync('git', ['ls-files', '--others', '--exclude-standard', '--', ...GENERATED_FOLDERS], { encoding: 'utf8' });
  return out.split('\n').filter((line) => line !== '');
}

function isChanged(): boolean {
  const { status, error } = spawnSync('git', ['diff', '--exit-code', '--', ...GENERATED_FOLDERS], { stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status !== 0;
}

writeGenerated(process.cwd());
const changed = isChanged();
const added = untracked();
for (const path of added) console.error(`not in git: ${path}`);
if (changed || added.length > 0) {
  console.error('Generated files differ from what is committed. They are now up to date in the working tree: review and commit them.');
  process.exitCode = 1;
} else {
  console.log(`Generated files are up to date: ${GENERATED_FOLDERS.join(', ')}.`);
}
