import { lookForEngine } from '../../cli/pulumi/engine';
import { TOOLS, type ToolName } from '../../cli/demo/tool';
import { STEPS } from '../../cli/demo/steps';
import { tryFindEngine } from '../../cli/terraform/engine';
import { macrack } from './command';

interface Line {
  readonly type: string;
  readonly tool?: ToolName;
  readonly title?: string;
  readonly ok?: boolean;
  readonly steps?: number;
  readonly why?: string;
  readonly findings?: readonly { readonly claim: string; readonly ok: boolean; readonly saw: string }[];
}

const WORDS = { terraform: { plan: 'plan', hold: 'on_early_release = "hold"' }, pulumi: { plan: 'preview', hold: 'onEarlyRelease: "hold"' } } as const;
const isThere: Readonly<Record<ToolName, boolean>> = { terraform: tryFindEngine() !== undefined, pulumi: lookForEngine().engine !== undefined };
const inCi = process.env.CI === 'true';

// Skipped on a machine without any engine, since the demo drives the real ones; with CI=true a skip is a failure.
(inCi || TOOLS.some((tool) => isThere[tool]) ? describe : describe.skip)('macrack demo (needs terraform, tofu or pulumi)', () => {
  let lines: readonly Line[];
  let code: number | null;

  beforeAll(async () => {
    const run = await macrack('demo', '--json').ended;
    lines = run.stdout.trim().split('\n').map((line) => JSON.parse(line) as Line);
    code = run.code;
    // Both halves, on a machine that is busy with other suites.
  }, 900_000);

  it.each(TOOLS)('passes every step with real %s and says so for machines, or says what to install', (tool) => {
    const steps = lines.filter((line) => line.type === 'step' && line.tool === tool);
    if (!isThere[tool] && !inCi) {
      expect([steps, lines.find((line) => line.type === 'left out' && line.tool === tool)?.why]).toEqual([[], expect.stringContaining('install')]);
      return;
    }
    expect(steps.flatMap((step) => (step.findings ?? []).filter((f) => !f.ok).map((f) => `${step.title}: ${f.claim} (${f.saw})`))).toEqual([]);
    expect(steps.map((step) => step.title)).toEqual(STEPS.map((step) => step.title(WORDS[tool])));
    expect(steps.every((step) => (step.findings ?? []).length > 0)).toBe(true);
  });

  it('ends with a summary of both, and with 0', () => {
    expect([lines.at(-1), code]).toEqual([{ type: 'summary', ok: true, steps: lines.filter((line) => line.type === 'step').length, failed: [] }, 0]);
  });
});

it('macrack demo takes one tool or all there are', async () => {
  const { code, stderr } = await macrack('demo', '--terraform', '--pulumi').ended;
  expect([code, stderr]).toEqual([1, expect.stringMatching(/'--(terraform|pulumi)' cannot be used with option '--(terraform|pulumi)'/)]);
});
