import type { Finding, Tenant } from './step';
import type { Summary } from './summary';
import type { Ran, Tool, ToolName } from './tool';

/** Where the demo speaks. */
export interface Narrator {
  begin(text: string): void;
  /** The steps that follow are those of a tool. */
  half(tool: Tool): void;
  step(number: number, title: string): void;
  ran(tenant: Tenant, run: Ran): void;
  found(findings: readonly Finding[]): void;
  /** A tool that could not be had. @param why with what to install */
  leftOut(tool: ToolName, why: string): void;
  end(summary: Summary): void;
}

const indent = (text: string): string => text.split('\n').map((line) => `      ${line}`).join('\n');

/** Speaks to people on standard output. */
export function speaking(write: (text: string) => void = (text) => void process.stdout.write(text)): Narrator {
  return {
    begin: (text) => write(`${text}\n`),
    half: ({ engine }) => write(`\n== With ${engine}\n`),
    step: (number, title) => write(`\n${number}. ${title}\n`),
    ran(tenant, run) {
      write(`    ${tenant.namespace}$ ${run.typed}\n`);
      for (const line of run.lines) write(`${indent(line)}\n`);
    },
    found: (findings) => findings.forEach(({ claim, ok, saw }) => write(`    ${ok ? 'ok    ' : 'NOT OK'} ${claim} (${saw})\n`)),
    leftOut: (tool, why) => write(`\n== Without ${tool}: ${why}\n`),
    end: ({ ok, steps }) => write(`\n${steps.filter((s) => s.ok).length} of ${steps.length} steps as they should be${ok ? '' : ': the demo FAILED'}\n`),
  };
}

/** One JSON document a step, then the summary: for machines. */
export function reciting(write: (text: string) => void = (text) => void process.stdout.write(text)): Narrator {
  let [tool, title] = ['', ''];
  return {
    begin: () => undefined,
    half: ({ name }) => { tool = name; },
    step: (_number, text) => { title = text; },
    ran: (tenant, run) => write(`${JSON.stringify({ type: 'run', tool, tenant: tenant.namespace, args: run.args, code: run.code, diagnostics: run.diagnostics })}\n`),
    found: (findings) => write(`${JSON.stringify({ type: 'step', tool, title, ok: findings.every((f) => f.ok), findings })}\n`),
    leftOut: (name, why) => write(`${JSON.stringify({ type: 'left out', tool: name, why })}\n`),
    end: (summary) => write(`${JSON.stringify({ type: 'summary', ok: summary.ok, steps: summary.steps.length, failed: summary.steps.filter((s) => !s.ok).map((s) => s.title) })}\n`),
  };
}
