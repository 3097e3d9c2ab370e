import { existsSync, readdirSync } from 'node:fs';
import { readManifests } from './manifests';
import { startPlane } from './plane';

const deploy = `${__dirname}/../deploy`;

describe('the files of deploy/', () => {
  test('a plane starts with all of them, and skips exactly the mutating policies', async () => {
    const lines: string[] = [];
    const policies = ['policies', 'policies/mutating', 'clock-policy'].map((name) => `${deploy}/${name}`).filter(existsSync);
    const plane = await startPlane({ crds: `${deploy}/crds`, policies, rbac: `${deploy}/rbac`, webhooks: `${deploy}/webhooks`, log: (line) => lines.push(line) });
    await plane.load(readManifests(`${deploy}/classes`));
    await plane.stop();
    const mutating = policies.flatMap(readManifests).filter(({ kind }) => kind === 'MutatingAdmissionPolicy');
    expect(lines).toEqual([...mutating.map(({ metadata }) => `development plane: skipped MutatingAdmissionPolicy ${metadata.name}: mutating policies run on a real plane only`), 'development plane: no compliance claim']);
    expect(readdirSync(`${deploy}/crds`).length).toBeGreaterThan(0);
  });
});
