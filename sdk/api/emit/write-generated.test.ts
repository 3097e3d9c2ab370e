import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatedFiles } from './generated-files';
import { writeGenerated } from './write-generated';

const root = mkdtempSync(join(tmpdir(), 'macrack-generate-'));
afterAll(() => { rmSync(root, { recursive: true }); });

test('generation writes every file, removes what no schema makes, and settles', () => {
  mkdirSync(join(root, 'deploy/crds'), { recursive: true });
  writeFileSync(join(root, 'deploy/crds/macracks.yaml'), 'old');
  const first = writeGenerated(root);
  const texts = first.map((path) => readFileSync(join(root, path), 'utf8'));
  expect(readdirSync(join(root, 'deploy/crds')).map((name) => `deploy/crds/${name}`).sort()).toEqual([...generatedFiles().keys()].sort());
  expect(writeGenerated(root).map((path) => readFileSync(join(root, path), 'utf8'))).toEqual(texts);
});
