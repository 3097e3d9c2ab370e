import type { Pod } from '../../sdk/api';
import type { Run } from '../journal/ledger';
import { decide, type Step } from './decide';

const pod = (phase: string, isDeleting = false) => ({ metadata: isDeleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}, status: { phase } }) as Pod;
const run = (phase: Run['phase'], more: Partial<Run> = {}) => ({ phase, facts: {}, boot: 'b', ...more }) as Run;
const outcome = { reason: 'Crashed', message: '' };
const stopCause = { reason: 'PodDeleted', message: '' };

const cases: readonly (readonly [sentence: string, pod: Pod | undefined, run: Run | undefined, isRunning: boolean, expected: Step])[] = [
  ['a new pod is judged', pod('Pending'), undefined, false, 'Start'],
  ['a start that was never made is made again', pod('Pending'), run('Starting'), false, 'Start'],
  ['a start that was made and not written down is written down', pod('Pending'), run('Starting'), true, 'Confirm'],
  ['it is written down even when nobody wants it any more', pod('Pending', true), run('Starting'), true, 'Confirm'],
  ['a running machine is reported', pod('Pending'), run('Running'), true, 'Report'],
  ['a machine that went is written down before its pod fails', pod('Running'), run('Running'), false, 'Close'],
  ['a pod whose machine ended fails and gets no second one', pod('Running'), run('Ended', { outcome }), false, 'Fail'],
  ['a refused pod fails', pod('Pending'), run('Refused', { outcome }), false, 'Fail'],
  ['a failed pod is at rest', pod('Failed'), run('Ended', { outcome }), false, 'Nothing'],
  ['a pod that is deleted has its machine stopped', pod('Running', true), run('Running'), true, 'Stop'],
  ['a pod that is deleted is not removed while its end is not written down', pod('Running', true), run('Running'), false, 'Close'],
  ['a pod that is deleted is removed when its machine is gone', pod('Running', true), run('Ended', { outcome }), false, 'Remove'],
  ['a failed pod that is deleted is removed', pod('Failed', true), run('Ended', { outcome }), false, 'Remove'],
  ['a pod that was deleted before it started is removed', pod('Pending', true), undefined, false, 'Remove'],
  ['the machine of a pod that is gone is stopped', undefined, run('Running'), true, 'Stop'],
  ['the machine of a pod that others made terminal is stopped', pod('Failed'), run('Running'), true, 'Stop'],
  ['a stop that was interrupted goes on', pod('Running'), run('Running', { stopCause }), true, 'Stop'],
  ['a machine that runs after its end was written down is stopped', pod('Failed'), run('Ended', { outcome }), true, 'Stop'],
  ['a pod that is gone and ran nothing is nothing to do', undefined, undefined, false, 'Nothing'],
];

describe('the next step for a pod', () => {
  it.each(cases)('%s', (_sentence, thePod, theRun, isRunning, expected) => {
    expect(decide(thePod, theRun, isRunning)).toBe(expected);
  });

  it('never frees a slot in the API while the machine runs', () => {
    const pods = [undefined, ...['Pending', 'Running', 'Failed'].flatMap((phase) => [pod(phase), pod(phase, true)])];
    const runs = (['Created', 'Starting', 'Running', 'Ended', 'Refused'] as const).flatMap((phase) => [run(phase), run(phase, { outcome }), run(phase, { stopCause })]);
    for (const thePod of pods) for (const theRun of runs) expect(['Remove', 'Fail', 'Start', 'Nothing', 'Close']).not.toContain(decide(thePod, theRun, true));
  });
});
