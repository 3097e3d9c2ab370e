import type { TerraformStack } from 'cdktf';
import type { Flavour } from './flavour';

export const IMAGE = 'ghcr.io/acme/macos-sequoia:15.1';
export const SHAPE = { cpu: 4, memory: '8Gi', disk: '100Gi' };

/** An instance that is right, to be changed. */
export const VM = { image: IMAGE, shape: SHAPE };

/** What JavaScript may hand over where TypeScript would not let it. */
export const anything = (value: unknown): never => value as never;

/** A stack `stack` in an app of its own, with a provider for namespace `team-a`. */
export function stackIn({ library, macrack }: Flavour): TerraformStack {
  const stack = new library.TerraformStack(library.Testing.app(), 'stack');
  new macrack.MacrackProvider(stack, 'macrack', { namespace: 'team-a' });
  return stack;
}

/** The lines of the error that a function throws, each without the indentation; none when it throws nothing. */
function linesOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    return (error as Error).message.split('\n').map((line) => line.trim()).filter((line) => line.startsWith('['));
  }
  return [];
}

/** What `app.synth()` refuses, a line each: `[path] Reason: …`. */
export function refusedBySynth(stack: TerraformStack): string[] {
  return linesOf(() => (stack.node.root as unknown as { synth(): void }).synth());
}

/** The same of `Testing.synthScope`, which validates nothing by itself. */
export function refusedInScope({ library, macrack }: Flavour, declare: (stack: TerraformStack) => void): string[] {
  return linesOf(() => library.Testing.synthScope((scope) => {
    new macrack.MacrackProvider(scope, 'macrack', { namespace: 'team-a' });
    declare(scope as TerraformStack);
  }));
}

/** Path and reason of each line. */
export function reasonsOf(lines: readonly string[]): string[] {
  return lines.map((line) => /^\[[^\]]*\] [A-Z][A-Za-z]+/.exec(line)?.[0] ?? line);
}
