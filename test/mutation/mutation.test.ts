import { MUTANTS } from './mutants';
import type { Catcher, Mutant } from './mutants/mutant';
import { type Judged, Sandbox } from './sandbox';

/** Runs of a test file each; only ends a hang. */
const DEADLINE_MS = 900_000;
const AT_ONCE = 2;

/** What is missing of the tests that should be there: those of a catcher that are not in the list, by their names. */
function missing({ test, names }: Catcher, list: readonly string[]): string[] {
  return names.filter((name) => !list.some((full) => full.startsWith(`${test}: `) && full.includes(name))).map((name) => `${test}: ${name}`);
}

const joined = (runs: readonly Judged[]): Judged => ({ passed: runs.flatMap((run) => run.passed), failed: runs.flatMap((run) => run.failed), broken: runs.flatMap((run) => run.broken) });
const catchers = MUTANTS.flatMap(({ caughtBy }) => caughtBy);

describe('a stop that is taken away is noticed', () => {
  const sandboxes: Sandbox[] = [];
  const found = new Map<Mutant, Judged>();
  let untouched: Judged;

  /** Each sandbox takes the next mutant when it is done with one. */
  async function work(sandbox: Sandbox, queue: Mutant[]): Promise<void> {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      found.set(mutant, await sandbox.judge(mutant.mutation, mutant.caughtBy));
    }
  }

  beforeAll(async () => {
    for (let i = 0; i < AT_ONCE; i += 1) sandboxes.push(new Sandbox());
    const suites = [...new Set(catchers.map(({ test }) => test))].map((test) => ({ test }));
    const parts = sandboxes.map((_, i) => suites.filter((_suite, at) => at % AT_ONCE === i));
    untouched = joined(await Promise.all(sandboxes.map((sandbox, i) => sandbox.judge(undefined, parts[i] ?? []))));
    const queue = [...MUTANTS];
    await Promise.all(sandboxes.map((sandbox) => work(sandbox, queue)));
  }, DEADLINE_MS);
  afterAll(() => {
    for (const sandbox of sandboxes) sandbox.close();
  });

  it('by tests that pass while nothing is gone', () => {
    expect({ failed: untouched.failed, broken: untouched.broken }).toEqual({ failed: [], broken: [] });
    expect(catchers.flatMap((catcher) => missing(catcher, untouched.passed))).toEqual([]);
  });

  it.each(MUTANTS.map((mutant) => [mutant.gone, mutant] as const))('%s', (_gone, mutant) => {
    const { failed = [], broken = [] } = found.get(mutant) ?? {};
    expect({ missed: mutant.caughtBy.flatMap((catcher) => missing(catcher, failed)), broken }).toEqual({ missed: [], broken: [] });
  });
});
