// Only ends a hang: a disk may be slow to sync while the machine is busy.
const DEADLINE_MS = 120_000;
const MOST_PASSES = 400;

/** Waits for a fact by turning the event loop; `between` lets time pass now and then. */
export async function settle(what: string, holds: () => Promise<boolean> | boolean, between: () => void, mostPasses = MOST_PASSES): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (let turn = 0; performance.now() < deadline; turn += 1) {
    if (await holds()) return;
    if (turn % 20 === 19 && turn < 20 * mostPasses) between();
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`it never came true that ${what}`);
}
