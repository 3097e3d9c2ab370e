/** Thrown when a condition does not come true in time. */
export class ConditionTimeout extends Error {
  override readonly name = 'ConditionTimeout';
}

/**
 * Asks again and again until the answer is there, at most `seconds` long; the default only ends a hang on a busy machine.
 * Throws ConditionTimeout with what was hoped for; errors of `ask` itself pass through.
 */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, seconds = 180): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new ConditionTimeout(`${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
