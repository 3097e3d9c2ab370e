import type { Outcome } from '../terraform/outcome';
import type { Finding, Step, Tenant } from './step';

/** Where the demo speaks. */
export interface Narrator {
  begin(text: string): void;
  step(number: number, step: Step): void;
  ran(tenant: Tenant, run: Outcome): void;
  found(findings: readonly Finding[]): void;
  end(summary: Summary): void;
}

export interface Summary {
  readonly ok: boolean;
  readonly steps: readonly { readonly title: string; readonly ok: boolean; readonly findings: readonly Finding[] }[];
}

const indent = (text: string): string => text.split('\n').map((line) => `      ${line}`).join('\n');

/** What a person sees of a run: the engine's lines without its JSON. */
function lines(run: Outcome): string[] {
  const shown = new Set(['planned_change', 'change_summary', 'apply_complete']);
  const said = run.events.filter((e) => shown.has(e.type ?? '')).map((e) => e['@message'] ?? '');
  const diagnostics = run.diagnostics.filter((d) => !d.summary.startsWith('Provider development overrides'));
  return [...said, ...diagnostics.map((d) => `${d.severity === 'error' ? 'Error' : 'Warning'}: ${d.summary}\n${d.detail}`)];
}

/** Speaks to people on standard output. */
export function speaking(write: (text: string) => void = (text) => void process.stdout.write(text)): Narrator {
  return {
    begin: (text) => write(`${text}\n`),
    step: (number, { title }) => write(`\n${number}. ${title}\n`),
    ran(tenant, run) {
      write(`    ${tenant.namespace}$ terraform ${run.args.filter((a) => a !== '-json' && a !== '-input=false').join(' ')}\n`);
      for (const line of lines(run)) write(`${indent(line)}\n`);
    },
    found: (findings) => findings.forEach(({ claim, ok, saw }) => write(`    ${ok ? 'ok    ' : 'NOT OK'} ${claim} (${saw})\n`)),
    end: ({ ok, steps }) => write(`\n${steps.filter((s) => s.ok).length} of ${steps.length} steps as they should be${ok ? '' : ': the demo FAILED'}\n`),
  };
}

/** One JSON document a step, then the summary: for machines. */
export function reciting(write: (text: string) => void = (text) => void process.stdout.write(text)): Narrator {
  let title = '';
  return {
    begin: () => undefined,
    step: (_number, step) => { title = step.title; },
    ran: (tenant, run) => write(`${JSON.stringify({ type: 'run', tenant: tenant.namespace, args: run.args, code: run.code, diagnostics: run.diagnostics })}\n`),
    found: (findings) => write(`${JSON.stringify({ type: 'step', title, ok: findings.every((f) => f.ok), findings })}\n`),
    end: (summary) => write(`${JSON.stringify({ type: 'summary', ok: summary.ok, steps: summary.steps.length, failed: summary.steps.filter((s) => !s.ok).map((s) => s.title) })}\n`),
  };
}
