import { Kinds } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { finding, snapshot, type Finding } from './step';
import type { Ran } from './tool';

/** The exit status of a run. */
export function exits(run: Ran, code: number): Finding {
  return finding(`${run.args[0] ?? ''} exits ${code}`, run.code === code, `exit ${run.code}`);
}

/** The run failed for exactly these reasons. */
export function refusedFor(run: Ran, ...expected: readonly string[]): readonly Finding[] {
  const found = run.reasons('error');
  return [exits(run, 1), finding(`refused for ${expected.join(', ')}`, found.join() === expected.join(), found.join() || 'no reason')];
}

/** The refusal names what a reader needs. */
export function names(run: Ran, ...words: readonly string[]): Finding {
  const missing = words.filter((word) => !run.text.includes(word));
  return finding(`names ${words.join(', ')}`, missing.length === 0, missing.length === 0 ? 'all named' : `missing ${missing.join(', ')}`);
}

/** None of the words appears anywhere in what the run printed. */
export function hides(run: Ran, ...words: readonly string[]): Finding {
  const leaked = words.filter((word) => run.printed.includes(word));
  return finding(`shows nothing of ${words.join(', ')}`, leaked.length === 0, leaked.length === 0 ? 'nothing' : `shows ${leaked.join(', ')}`);
}

/** Runs something and holds leases and instances on the plane before it against those after it. */
export async function writesNothing(plane: ControlPlane, act: () => Promise<Ran>): Promise<readonly [Ran, Finding]> {
  const look = async (): Promise<string> => [...await snapshot(plane, Kinds.MacNodeLease), ...await snapshot(plane, Kinds.MacOSInstance)].join(' ');
  const before = await look();
  const run = await act();
  const after = await look();
  return [run, finding('nothing was written', before === after, before === after ? 'the plane is unchanged' : `was ${before}, is ${after}`)];
}
