import { speaking, reciting, type Narrator } from './narrator';
import { openSession } from './session';
import { finding, type Demo, type Finding, type Step } from './step';
import { STEPS } from './steps';
import { summaryOf, type StepResult } from './summary';
import type { Tool, ToolName } from './tool';
import { chooseTools } from './tools/choice';

export interface DemoOptions {
  readonly json: boolean;
  /** Only this tool; default: every one that there is. */
  readonly tool?: ToolName;
}

// A step that breaks is a finding like any other: the demo goes on and ends with a failure.
async function perform(step: Step, demo: Demo): Promise<readonly Finding[]> {
  try {
    return await step.run(demo);
  } catch (error) {
    return [finding('the step runs to its end', false, error instanceof Error ? error.message : String(error))];
  }
}

async function tell(demo: Demo, narrator: Narrator): Promise<readonly StepResult[]> {
  const results: StepResult[] = [];
  for (const [index, step] of STEPS.entries()) {
    const title = step.title(demo.tool.words);
    narrator.step(index + 1, title);
    const findings = await perform(step, demo);
    narrator.found(findings);
    results.push({ title, ok: findings.length > 0 && findings.every((f) => f.ok), findings });
  }
  return results;
}

/** All steps with one tool, on a plane of their own. */
async function half(tool: Tool, narrator: Narrator): Promise<readonly StepResult[]> {
  narrator.half(tool);
  const session = await openSession(tool, (tenant, run) => narrator.ran(tenant, run));
  let ok = false;
  try {
    const results = await tell(session.demo, narrator);
    ok = summaryOf(results).ok;
    return results;
  } finally {
    await session.close(!ok);
    if (!ok) process.stderr.write(`macrack: programs, states and logs of the demo are in ${session.directory}\n`);
  }
}

/** Runs the demo with the real engines. Resolves to the exit status: 0 only if every step was as it should be. */
export async function demo({ json, tool }: DemoOptions): Promise<number> {
  const { tools, leftOut } = chooseTools(tool);
  const narrator = json ? reciting() : speaking();
  narrator.begin(`MacRack demo: real ${tools.map(({ engine }) => engine).join(' and real ')} against a development plane (no compliance claim) with simulated Macs`);
  const results: StepResult[] = [];
  for (const each of tools) results.push(...await half(each, narrator));
  for (const { tool: name, why } of leftOut) narrator.leftOut(name, why);
  const summary = summaryOf(results);
  narrator.end(summary);
  return summary.ok ? 0 : 1;
}
