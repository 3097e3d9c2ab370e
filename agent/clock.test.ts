import type { ControlPlane } from '../sdk/client';
import { agentClock } from './clock';

describe('the clock of an agent', () => {
  it("is the API server's newest answer plus what the Mac counted since", () => {
    let answer: number | undefined;
    let monotonic = 5000;
    const clock = agentClock({ lastServerTime: () => answer } as ControlPlane, () => monotonic);
    expect(() => clock.now()).toThrow(/has not answered yet/);
    answer = Date.UTC(2026, 0, 1);
    expect(clock.now()).toBe('2026-01-01T00:00:00Z');
    monotonic += 61_900;
    expect(clock.now()).toBe('2026-01-01T00:01:01Z');
    answer = Date.UTC(2026, 0, 2);
    expect(clock.now()).toBe('2026-01-02T00:00:00Z');
  });
});
