// The process that `measures/memory.ts` starts: it measures its own heap, which nothing else must share.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteAuditLog } from '../operator/audit/sqlite-audit-log';
import { Stores } from '../operator/reconcile/engine/stores';
import { startReconcilers, type Reconcilers } from '../operator/reconcile/start';
import { MemoryPlane } from '../sdk/client/testing/memory/memory-plane';
import { START } from '../operator/testing/rig';
import { Kinds } from '../sdk/api/kinds';
import { AgentUnavailable } from '../sdk/client/agent-reader';
import { formatInstant } from '../sdk/rules/instant';
import { settledFleet } from './settled-fleet';

/** What the process prints. */
export interface HeapReport {
  readonly objects: number;
  /** Of the objects as JSON. */
  readonly jsonBytes: number;
  readonly heapBefore: number;
  readonly heapAfter: number;
}

const LOOK_MS = 100;
const QUIET_LOOKS = 5;

function heap(): number {
  if (globalThis.gc === undefined) throw new Error('start this process with --expose-gc');
  void globalThis.gc();
  void globalThis.gc();
  return process.memoryUsage().heapUsed;
}

async function filled(chassis: number, instances: number) {
  const plane = new MemoryPlane(START);
  await plane.create(Kinds.MacClass, { metadata: { name: 'base' }, spec: { cpu: 8, memory: '16Gi', disk: '256Gi' } });
  let objects = 0;
  let jsonBytes = 0;
  for await (const [, object] of settledFleet(chassis, instances)) {
    plane.put({ ...object, metadata: { ...object.metadata, creationTimestamp: formatInstant(START) } });
    objects += 1;
    jsonBytes += Buffer.byteLength(JSON.stringify(object));
  }
  return { plane, objects, jsonBytes };
}

/** No key waits and nothing is asked any more. */
async function settled(plane: MemoryPlane, reconcilers: Reconcilers): Promise<void> {
  for (let quiet = 0, asked = -1; quiet < QUIET_LOOKS; ) {
    quiet = reconcilers.waiting() === 0 && plane.requests.length === asked ? quiet + 1 : 0;
    asked = plane.requests.length;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  plane.requests.length = 0;
}

async function main(chassis: number, instances: number): Promise<HeapReport> {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-bench-'));
  const audit = await openSqliteAuditLog(join(directory, 'audit.db'));
  const { plane, objects, jsonBytes } = await filled(chassis, instances);
  const errors: string[] = [];
  const log = { info: () => undefined, warn: () => undefined, error: (_: object, message: string) => void errors.push(message) };
  const agents = { read: ({ metadata: { name } }: { metadata: { name: string } }) => Promise.reject(new AgentUnavailable(name, 'nothing answers')) };
  const heapBefore = heap();
  const reconcilers = startReconcilers({ plane, agents, audit, log, stores: new Stores() }, plane);
  await reconcilers.ready;
  await settled(plane, reconcilers);
  const heapAfter = heap();
  await reconcilers.stop();
  await audit.close();
  rmSync(directory, { recursive: true, force: true });
  if (errors[0] !== undefined) throw new Error(`the operator did not settle: ${errors[0]} (${errors.length} times)`);
  return { objects, jsonBytes, heapBefore, heapAfter };
}

async function report(): Promise<void> {
  process.stdout.write(`${JSON.stringify(await main(Number(process.argv[2]), Number(process.argv[3])))}\n`);
}

void report();
