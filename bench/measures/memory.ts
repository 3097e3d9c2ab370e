import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { packagePath } from '../../devplane/package-files';
import type { HeapReport } from '../memory-process';
import type { Row, Rows } from '../row';

const run = promisify(execFile);
const INSTANCES_PER_MAC = 2;

/**
 * Heap of an operator at rest over a fleet that is leased out, two machines on each Mac. In a process of its own; the plane stands in the same
 * memory, so that what is counted is what the heap gains when the operator starts.
 */
export async function measureMemory(chassis: number): Promise<Rows> {
  const typescript = packagePath('provider', 'terraform', 'fixture', 'typescript.cjs');
  const args = ['--expose-gc', '--max-old-space-size=4096', '-r', typescript, packagePath('bench', 'memory-process.ts'), String(chassis), String(INSTANCES_PER_MAC)];
  const { stdout } = await run(process.execPath, args);
  const { objects, jsonBytes, heapBefore, heapAfter } = JSON.parse(stdout) as HeapReport;
  const gained = heapAfter - heapBefore;
  const row = (what: string, value: number, unit: Row['unit']): Row => ({ bench: 'memory', plane: 'memory', what, value, unit });
  return [
    row(`objects of ${chassis} Macs and ${chassis * INSTANCES_PER_MAC} instances`, objects, 'objects'), row('heap of the operator', gained, 'bytes'),
    row('heap an object', Math.round(gained / objects), 'bytes'), row('heap to the objects as JSON', gained / jsonBytes, 'ratio'),
  ];
}
