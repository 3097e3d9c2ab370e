import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reasonOf, reasons } from './outcome';
import { outcome } from './reading';

const URN = 'urn:pulumi:dev::demo::pulumi-nodejs:dynamic/macrack:MacNodeLease::ci';
const ran = (args: readonly string[], parts: { readonly code?: number; readonly stdout?: string; readonly stderr?: string } = {}) => ({ args, code: 0, stdout: '', stderr: '', ...parts });

describe('what a run left behind', () => {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-reading-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function log(...events: readonly (object | string)[]): string {
    const file = join(directory, 'events.jsonl');
    writeFileSync(file, events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event))).join('\n'));
    return file;
  }

  it('is the digest of a preview for machines', () => {
    const digest = { steps: [{ op: 'create', urn: URN }], diagnostics: [{ urn: URN, severity: 'error', message: 'error: no\n' }], changeSummary: { create: 1 } };
    expect(outcome(ran(['preview', '--json'], { stdout: JSON.stringify(digest) }), log({ summaryEvent: { resourceChanges: { same: 9 }, isPreview: true } })))
      .toMatchObject({ steps: digest.steps, changeSummary: { create: 1 }, diagnostics: [{ urn: URN, severity: 'error', message: 'no' }] });
  });

  it('is nothing where a preview was killed', () => {
    expect(outcome(ran(['preview', '--json'], { stdout: '{ "steps": [' }))).toMatchObject({ steps: [], diagnostics: [], changeSummary: {} });
  });

  it('is read from the events of any other run: messages without colours, talk and debugging, and only steps that were done', () => {
    const file = log(
      { resourcePreEvent: { metadata: { op: 'create', urn: URN } } },
      { resOutputsEvent: { metadata: { op: 'update', urn: URN, diffs: ['class'] } } },
      { diagnosticEvent: { urn: URN, severity: 'warning', message: '<{%fg 3%}>warning: <{%reset%}>held\n' } },
      { diagnosticEvent: { severity: 'info', message: 'passing', ephemeral: true } },
      { diagnosticEvent: { severity: 'debug', message: 'detail' } },
      { summaryEvent: { resourceChanges: { update: 1 }, isPreview: false } },
      '{"resOutputsEvent": {"meta',
    );
    expect(outcome(ran(['up']), file)).toMatchObject({ steps: [{ op: 'update', urn: URN, diffReasons: ['class'] }], changeSummary: { update: 1 }, diagnostics: [{ urn: URN, severity: 'warning', message: 'held' }] });
  });

  it('is the planned steps where the events are those of a preview', () => {
    const file = log({ resourcePreEvent: { metadata: { op: 'create', urn: URN } } }, { resOutputsEvent: { metadata: { op: 'create', urn: URN } } }, { summaryEvent: { resourceChanges: null, isPreview: true } });
    expect(outcome(ran(['preview']), file).steps).toHaveLength(1);
  });

  it('has what the command itself says among its messages', () => {
    const stderr = 'warning: old\nerror: the stack is currently locked by 1 lock(s).\n  pulumi cancel\n';
    expect(outcome(ran(['up'], { code: 1, stderr })).diagnostics).toEqual([
      { urn: undefined, severity: 'warning', message: 'old' },
      { urn: undefined, severity: 'error', message: 'the stack is currently locked by 1 lock(s).\n  pulumi cancel' },
    ]);
  });
});

describe('the reason in a message', () => {
  it.each([
    ["pulumi-nodejs:dynamic/macrack:MacNodeLease resource 'ci' has a problem: ThirdInstance: lease team-a/ci takes two instances.", 'ThirdInstance'],
    ['before hook "macrack:lease-floor/v1" failed: EarlyRelease: lease team-a/ci is Bound.', 'EarlyRelease'],
    ['NotChecked: the control plane cannot be reached.', 'NotChecked'],
    ['Running program failed:\nTypeError: x is not a function', undefined],
    ['Error: NameHeld: lease team-a/ci is Held.', 'NameHeld'],
    ['update failed', undefined],
  ])('%s', (message, reason) => expect(reasonOf({ severity: 'error', message })).toBe(reason));

  it('is listed once', () => {
    const run = outcome(ran(['up'], { stderr: 'error: NoCapacity: a\nerror: NoCapacity: b\nwarning: NameHeld: c\n' }));
    expect([reasons(run, 'error'), reasons(run, 'warning')]).toEqual([['NoCapacity'], ['NameHeld']]);
  });
});
