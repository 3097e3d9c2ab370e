import { STEPS } from '../../cli/demo/steps';
import { tryFindEngine } from '../../cli/terraform/engine';
import { macrack } from './command';

interface Line {
  readonly type: string;
  readonly title?: string;
  readonly ok?: boolean;
  readonly findings?: readonly { readonly claim: string; readonly ok: boolean; readonly saw: string }[];
}

const hasEngine = tryFindEngine() !== undefined || process.env.CI === 'true';

// Skipped on a machine without either engine, since the demo drives the real one; with CI=true a skip is a failure.
(hasEngine ? describe : describe.skip)('macrack demo (needs terraform or tofu on PATH)', () => {
  it('passes every step with real terraform and says so for machines', async () => {
    const { code, stdout } = await macrack('demo', '--json').ended;
    const lines = stdout.trim().split('\n').map((line) => JSON.parse(line) as Line);
    const steps = lines.filter((line) => line.type === 'step');
    expect(steps.flatMap((step) => (step.findings ?? []).filter((f) => !f.ok).map((f) => `${step.title}: ${f.claim} (${f.saw})`))).toEqual([]);
    expect(steps.map((step) => step.title)).toEqual(STEPS.map((step) => step.title));
    expect(steps.every((step) => (step.findings ?? []).length > 0)).toBe(true);
    expect(code).toBe(0);
  });
});
