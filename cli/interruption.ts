const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Resolves when the process is asked to end. From now on no such signal ends it by itself, a repeated one neither: Ctrl-C reaches a program that npm
 * started twice, and what is running has to be ended in its order.
 */
export function interruption(): { readonly asked: Promise<void>; readonly isAsked: () => boolean } {
  let isAsked = false;
  const asked = new Promise<void>((resolve) => {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        isAsked = true;
        resolve();
      });
    }
  });
  return { asked, isAsked: () => isAsked };
}
