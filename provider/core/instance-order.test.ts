import fc from 'fast-check';
import type { Finding, Findings } from './finding';
import { planInstanceCreate } from './instance-plan-create';
import { planInstanceDelete } from './instance-plan-delete';
import { planInstanceUpdate } from './instance-plan-update';
import { readInstance } from './instance-read';
import { classObject, instanceDeclaration, instanceObject, leaseObject, Scene, settle, storedInstance } from './testing/scene';

type Ask = 'keep' | 'delete' | 'create' | 'replace';

const isError = (finding: Finding): boolean => finding.severity === 'error';
const small = { shape: { cpu: 1, memory: '1Gi', disk: '1Gi' } };

async function plan(scene: Scene, name: string, ask: Ask): Promise<Findings> {
  const stored = storedInstance(name, { shape: { cpu: 1, memory: '1Gi', disk: '1Gi' } });
  const declared = instanceDeclaration(name, small);
  switch (ask) {
    case 'keep': return (await planInstanceUpdate(scene.core, stored, declared)).findings;
    case 'delete': return planInstanceDelete(scene.core, stored);
    case 'create': return planInstanceCreate(scene.core, scene.call(), declared);
    case 'replace': {
      const next = { ...declared, image: 'acme/macos:16' };
      const update = await planInstanceUpdate(scene.core, stored, next);
      return [...update.findings, ...await planInstanceCreate(scene.core, scene.call(), next)];
    }
  }
}

// What exists is kept, deleted or replaced; what does not is created. In any order of calls.
const program = fc.record({
  existing: fc.array(fc.constantFrom<Ask>('keep', 'delete', 'replace'), { maxLength: 2 }),
  created: fc.integer({ min: 0, max: 3 }),
}).chain(({ existing, created }) => {
  const calls = [...existing.map((ask, i) => ({ name: `old-${i}`, ask })), ...Array.from({ length: created }, (_, i) => ({ name: `new-${i}`, ask: 'create' as const }))];
  return fc.record({ existing: fc.constant(existing), calls: fc.shuffledSubarray(calls, { minLength: calls.length }), together: fc.boolean() });
});

describe('a plan over the instances of one lease', () => {
  it('is refused exactly when more than two stay or come, once, in whichever order the calls come', async () => {
    await fc.assert(fc.asyncProperty(program, async ({ existing, calls, together }) => {
      const scene = new Scene();
      scene.plane.put(classObject('base', 4));
      scene.plane.put(leaseObject('l1'));
      for (const [i] of existing.entries()) scene.plane.put(instanceObject(`old-${i}`));
      await Promise.all(existing.map((_, i) => readInstance(scene.core, { namespace: 'team-a', name: `old-${i}`, uid: `uid-old-${i}` })));
      const answers: Promise<Findings>[] = [];
      for (const { name, ask } of calls) {
        answers.push(plan(scene, name, ask));
        if (!together) await settle();
      }
      await scene.quiet();
      const refusals = (await Promise.all(answers)).flat().filter(isError);
      const staying = calls.filter(({ ask }) => ask !== 'delete').length;
      expect(refusals.map((f) => f.reason)).toEqual(staying > 2 && calls.some(({ ask }) => ask === 'create') ? ['ThirdInstance'] : []);
    }), { numRuns: 300 });
  });
});
