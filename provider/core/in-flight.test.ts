import { describe, expect, it } from '@jest/globals';
import { CallCounter, type SettleTimer } from './in-flight';

/** A timer that fires when told; at most one window is ever open. */
class ManualTimer implements SettleTimer {
  private fire: (() => void) | undefined;
  get isOpen() { return this.fire !== undefined; }
  after(_milliseconds: number, fire: () => void) {
    this.fire = fire;
    return () => (this.fire = undefined);
  }
  elapse() {
    const fire = this.fire;
    this.fire = undefined;
    fire?.();
  }
}

function setUp() {
  const timer = new ManualTimer();
  return { timer, calls: new CallCounter(timer) };
}

describe('the count of calls in flight', () => {
  it('shows a call the others and not itself', () => {
    const { calls } = setUp();
    const one = calls.begin();
    expect(one.working).toBe(0);
    const two = calls.begin();
    expect([one.working, two.working]).toEqual([1, 1]);
    two.end();
    two.end();
    expect(one.working).toBe(0);
  });

  it('opens the window when the last working call ends, and lets the waiting one go when it closes', async () => {
    const { timer, calls } = setUp();
    const waiting = calls.begin();
    const busy = calls.begin();
    const answer = waiting.quiet(50);
    expect(timer.isOpen).toBe(false);
    expect([busy.working, busy.waiting]).toEqual([0, 1]);
    busy.end();
    expect(timer.isOpen).toBe(true);
    timer.elapse();
    await expect(answer).resolves.toBe('quiet');
  });

  it('starts the window again when a new call begins', () => {
    const { timer, calls } = setUp();
    void calls.begin().quiet(50);
    expect(timer.isOpen).toBe(true);
    const late = calls.begin();
    expect(timer.isOpen).toBe(false);
    late.end();
    expect(timer.isOpen).toBe(true);
  });

  it('lets waiting calls go one at a time, the longest waiting first, even when they are all there are', async () => {
    const { timer, calls } = setUp();
    const order: string[] = [];
    const tickets = ['a', 'b', 'c'].map((name) => ({ name, ticket: calls.begin() }));
    const done = tickets.map(async ({ name, ticket }) => {
      await ticket.quiet(50);
      order.push(name);
      ticket.end();
    });
    for (const one of done) {
      timer.elapse();
      await one;
    }
    expect(order).toEqual(['a', 'b', 'c']);
  });

  it('lets a call go at once when what it waits for happens, or fails', async () => {
    const { timer, calls } = setUp();
    const one = calls.begin();
    await expect(one.quiet(50, Promise.resolve())).resolves.toBe('woken');
    await expect(one.quiet(50, Promise.reject(new Error('no')))).resolves.toBe('woken');
    expect(timer.isOpen).toBe(false);
  });

  it('lets everything go when the provider is stopped', async () => {
    const { calls } = setUp();
    const busy = calls.begin();
    const one = calls.begin();
    const answer = one.quiet(50);
    calls.stop();
    await expect(answer).resolves.toBe('stopped');
    await expect(busy.quiet(50)).resolves.toBe('stopped');
  });
});
