import type { Finding } from './step';

export interface StepResult {
  readonly title: string;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

export interface Summary {
  readonly ok: boolean;
  readonly steps: readonly StepResult[];
}

export function summaryOf(steps: readonly StepResult[]): Summary {
  return { ok: steps.every((s) => s.ok), steps };
}
