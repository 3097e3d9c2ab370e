import type { SettleTimer } from '../../core/in-flight';

/** Real time. The open socket keeps the process alive; a window that nobody waits for must not. */
export const settleTimer: SettleTimer = {
  after(milliseconds, fire) {
    const timeout = setTimeout(fire, milliseconds).unref();
    return () => clearTimeout(timeout);
  },
};
