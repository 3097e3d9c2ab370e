import type { Ran, Told } from './outcome';

/** What `preview --json` prints; each part is left out where it is empty. */
type Digest = Partial<Told>;

function parse(stdout: string): Digest | undefined {
  try {
    return JSON.parse(stdout) as Digest;
  } catch {
    // A preview that was killed, or that never began, has printed no digest.
    return undefined;
  }
}

/** What a `preview --json` printed; undefined for any other run. */
export function digestOf({ args, stdout }: Pick<Ran, 'args' | 'stdout'>): Told | undefined {
  if (args[0] !== 'preview' || !args.includes('--json')) return undefined;
  const { steps = [], diagnostics = [], changeSummary = {} } = parse(stdout) ?? {};
  return { steps, changeSummary, diagnostics };
}
