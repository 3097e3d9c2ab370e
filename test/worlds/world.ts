import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type Development, startDevelopmentPlane } from '../../devplane/development-plane';
import type { DevelopmentPlane } from '../../devplane/plane';
import { startRealDevelopment } from '../../realplane/real-development';
import { RELEASE_MARGIN_MS } from '../../sdk/api/timing';
import { FLOOR_MS } from '../../sdk/rules/limits';

/** Plane, operator and two Macs, in one process; tenants tenant-a and tenant-b. */
export interface World extends Pick<Development, 'operator' | 'restartOperator' | 'macs' | 'connectAs' | 'stop'> {
  /** Lets the floor of a bound lease and the operator's margin pass, for it alone where the plane has no clock to move. */
  passFloor(namespace: string, lease: string): Promise<void>;
  /** What operator and agents logged as errors. */
  readonly errors: readonly string[];
  /** For what only a plane with a clock and counters can show. */
  readonly development?: DevelopmentPlane;
}

const macs = ['sim0001', 'sim0002'].map((serial) => ({ serial, class: 'base' as const }));

function errorLog() {
  const errors: string[] = [];
  return { errors, logger: pino({ level: 'error' }, { write: (line: string) => void errors.push(line) }) };
}

/** The development plane, whose clock is moved. */
export async function developmentWorld(): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-world-'));
  const { errors, logger } = errorLog();
  const world = await startDevelopmentPlane({ directory, macs, logger, log: () => undefined });
  return {
    ...world, errors, development: world.plane,
    passFloor: () => {
      // In two steps, as time goes: the margin is counted from the floor that the operator has seen.
      world.plane.clock.advance(FLOOR_MS);
      world.plane.clock.advance(2 * RELEASE_MARGIN_MS);
      return Promise.resolve();
    },
    stop: async () => {
      await world.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Kubernetes 1.37, whose stamps are aged. */
export async function realWorld(): Promise<World> {
  const { errors, logger } = errorLog();
  return { ...await startRealDevelopment({ macs, logger }), errors };
}
