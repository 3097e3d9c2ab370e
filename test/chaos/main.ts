import { parseArgs } from 'node:util';
import pino from 'pino';
import { GROUNDS, type GroundName } from '../harness/fault-world/ground';
import { type Game, play } from './play';
import { shrink } from './shrink';
import { history, printed, type Step } from './steps';

const USAGE = 'npm run chaos -- [--minutes N] [--seed S] [--plane dev|real] [--steps N] [--macs N] [--log FILE]';
const MOST_REPLAYS = 16;

interface Asked { readonly minutes: number; readonly seed: number; readonly game: Game; readonly length: number }

function whole(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new RangeError(`--${name} takes a whole number, not ${JSON.stringify(text)}`);
  return Number(text);
}

function asked(): Asked {
  const { values } = parseArgs({ options: {
    minutes: { type: 'string', default: '5' }, seed: { type: 'string', default: String(Date.now() % 1_000_000) }, plane: { type: 'string', default: 'dev' },
    steps: { type: 'string', default: '80' }, macs: { type: 'string', default: '3' }, log: { type: 'string' },
  } });
  if (!(GROUNDS as readonly string[]).includes(values.plane)) throw new RangeError(`--plane takes ${GROUNDS.join(' or ')}`);
  const log = values.log === undefined ? undefined : pino({ level: 'debug' }, pino.destination({ dest: values.log, sync: true }));
  return {
    minutes: whole('minutes', values.minutes), seed: whole('seed', values.seed), length: whole('steps', values.steps),
    game: { ground: values.plane as GroundName, macs: whole('macs', values.macs), ...(log && { log }) },
  };
}

const fails = (game: Game, steps: readonly Step[]): Promise<Error | undefined> => play(game, steps).then(() => undefined, (error: unknown) => (error instanceof Error ? error : new Error(String(error))));
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Plays histories, one seed after the other, until time is up or one fails. */
async function run({ minutes, seed: first, length, game }: Asked): Promise<number> {
  const deadline = performance.now() + minutes * 60_000;
  let seed = first;
  do {
    const steps = history(seed, length, game.ground);
    const began = performance.now();
    const error = await fails(game, steps);
    say(`seed ${seed}: ${error === undefined ? 'whole' : 'NOT WHOLE'} after ${steps.length} steps, ${Math.round((performance.now() - began) / 1000)} s`);
    if (error !== undefined) {
      say(`${error.stack ?? error.message}\n\nhistory of seed ${seed} on plane ${game.ground}:\n${printed(steps)}\n\nlooking for a shorter one`);
      const shortest = await shrink({ error, steps }, (rest) => fails(game, rest), MOST_REPLAYS);
      say(`${shortest.error.message}\n\nshortest history found (${shortest.steps.length} steps):\n${printed(shortest.steps)}`);
      return 1;
    }
    seed += 1;
  } while (performance.now() < deadline);
  say(`${seed - first} histories, all whole (seeds ${first} to ${seed - 1})`);
  return 0;
}

async function main(): Promise<void> {
  try {
    process.exitCode = await run(asked());
  } catch (error) {
    process.stderr.write(`chaos: ${error instanceof Error ? error.message : String(error)}\nusage: ${USAGE}\n`);
    process.exitCode = 2;
  }
}

void main();
