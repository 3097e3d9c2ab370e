import { Kinds } from '../../sdk/api/kinds';
import type { ControlPlane } from '../../sdk/client/control-plane';
import { reasons, type Outcome } from '../terraform/outcome';
import { finding, snapshot, type Finding } from './step';

/** The exit status of a run. */
export function exits(run: Outcome, code: number): Finding {
  return finding(`${run.args[0] ?? ''} exits ${code}`, run.code === code, `exit ${run.code}`);
}

/** The run failed for exactly these reasons. */
export function refusedFor(run: Outcome, ...expected: readonly string[]): readonly Finding[] {
  const found = reasons(run, 'error');
  return [exits(run, 1), finding(`refused for ${expected.join(', ')}`, found.join() === expected.join(), found.join() || 'no reason')];
}

/** The refusal names what a reader needs. */
export function names(run: Outcome, ...words: readonly string[]): Finding {
  const text = run.diagnostics.map((d) => `${d.summary}\n${d.detail}`).join('\n');
  const missing = words.filter((word) => !text.includes(word));
  return finding(`names ${words.join(', ')}`, missing.length === 0, missing.length === 0 ? 'all named' : `missing ${missing.join(', ')}`);
}

/** None of the words appears anywhere in what the run printed. */
export function hides(run: Outcome, ...words: readonly string[]): Finding {
  const leaked = words.filter((word) => `${run.stdout}\n${run.stderr}`.includes(word));
  return finding(`shows nothing of ${words.join(', ')}`, leaked.length === 0, leaked.length === 0 ? 'nothing' : `shows ${leaked.join(', ')}`);
}

/** Runs something and holds leases and instances on the plane before it against those after it. */
export async function writesNothing(plane: ControlPlane, act: () => Promise<Outcome>): Promise<readonly [Outcome, Finding]> {
  const look = async (): Promise<string> => [...await snapshot(plane, Kinds.MacNodeLease), ...await snapshot(plane, Kinds.MacOSInstance)].join(' ');
  const before = await look();
  const run = await act();
  const after = await look();
  return [run, finding('nothing was written', before === after, before === after ? 'the plane is unchanged' : `was ${before}, is ${after}`)];
}
