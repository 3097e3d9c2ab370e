import { speaking, reciting, type Narrator, type Summary } from './narrator';
import { openSession } from './session';
import { finding, type Demo, type Finding, type Step } from './step';
import { STEPS } from './steps';

// A step that breaks is a finding like any other: the demo goes on and ends with a failure.
async function perform(step: Step, demo: Demo): Promise<readonly Finding[]> {
  try {
    return await step.run(demo);
  } catch (error) {
    return [finding('the step runs to its end', false, error instanceof Error ? error.message : String(error))];
  }
}

async function tell(demo: Demo, narrator: Narrator): Promise<Summary> {
  const steps: { title: string; ok: boolean; findings: readonly Finding[] }[] = [];
  for (const [index, step] of STEPS.entries()) {
    narrator.step(index + 1, step);
    const findings = await perform(step, demo);
    narrator.found(findings);
    steps.push({ title: step.title, ok: findings.length > 0 && findings.every((f) => f.ok), findings });
  }
  return { ok: steps.every((s) => s.ok), steps };
}

/** Runs the demo with the real engine. Resolves to the exit status: 0 only if every step was as it should be. */
export async function demo(options: { readonly json: boolean }): Promise<number> {
  const narrator = options.json ? reciting() : speaking();
  narrator.begin('MacRack demo: real terraform against a development plane (no compliance claim) with simulated Macs');
  const session = await openSession((tenant, run) => narrator.ran(tenant, run));
  let ok = false;
  try {
    const summary = await tell(session.demo, narrator);
    narrator.end(summary);
    ok = summary.ok;
    return ok ? 0 : 1;
  } finally {
    await session.close(!ok);
    if (!ok) process.stderr.write(`macrack: configurations, states and logs of the demo are in ${session.directory}\n`);
  }
}
