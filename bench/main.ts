import { parseArgs } from 'node:util';
import { planeToolchain } from '../realplane/binaries';
import { documents, table } from './print';
import { bench, BENCHES, type BenchName, FULL, type Sizes } from './run';
import { PLANES, type PlaneName } from './world';

const USAGE = `npm run bench -- [--plane ${PLANES.join('|')}] [--only ${BENCHES.join('|')}]... [--json] [--binds N] [--macs N] [--times N] [--chassis N] [--leases N]`;

interface Asked { readonly plane: PlaneName; readonly only: ReadonlySet<BenchName>; readonly sizes: Sizes; readonly json: boolean }

function whole(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new RangeError(`--${name} takes a whole number from 1 to 999999, not ${JSON.stringify(text)}`);
  return Number(text);
}

function oneOf<T extends string>(name: string, text: string, known: readonly T[]): T {
  const found = known.find((each) => each === text);
  if (found === undefined) throw new RangeError(`--${name} takes ${known.join(' or ')}, not ${JSON.stringify(text)}`);
  return found;
}

function asked(): Asked {
  const size = (key: keyof Sizes) => ({ type: 'string' as const, default: String(FULL[key]) });
  const { values } = parseArgs({ options: {
    plane: { type: 'string', default: 'dev' }, only: { type: 'string', multiple: true, default: [...BENCHES] }, json: { type: 'boolean', default: false },
    binds: size('binds'), macs: size('macs'), times: size('times'), chassis: size('chassis'), leases: size('leases'),
  } });
  const number = (key: keyof Sizes): number => whole(key, values[key]);
  return {
    plane: oneOf('plane', values.plane, PLANES), only: new Set(values.only.map((name) => oneOf('only', name, BENCHES))), json: values.json,
    sizes: { binds: number('binds'), macs: number('macs'), times: number('times'), chassis: number('chassis'), leases: number('leases') },
  };
}

async function main(): Promise<void> {
  try {
    const { plane, only, sizes, json } = asked();
    if (plane === 'real' && planeToolchain().tryFindPlane() === undefined) throw new Error('the real control plane is not built: run `node toolchain/kubernetes/build.cjs`, which needs Go');
    const rows = await bench(plane, only, sizes);
    process.stdout.write(`${(json ? documents : table)(rows)}\n`);
  } catch (error) {
    process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\nusage: ${USAGE}\n`);
    process.exitCode = 2;
  }
}

void main();
