import type { Outcome } from '../../../cli/pulumi/outcome';

/** Lines of a run that are of a stack, or that name files of packages: a user reads what happened, not where in a library. */
export function stackLines({ stderr, diagnostics }: Outcome): string[] {
  const text = [stderr, ...diagnostics.map(({ message }) => message)].join('\n');
  return [...new Set(text.split('\n').filter((line) => /node_modules|^\s+at .*:\d+|Channel has been shut down|failed to deliver/.test(line)))];
}
