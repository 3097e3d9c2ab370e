import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { Kinds } from '../sdk/api';
import { startDevelopmentPlane } from './development-plane';
import type { RequestRecord } from './server/observer';

const describeWrite = ({ verb, resource }: RequestRecord) => `${verb} ${resource}`;

test('a bind is a constant number of writes, and survives each of them cut off before or after it is done', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'macrack-'));
  const macs = Array.from({ length: 24 }, (_, index) => ({ serial: `sim${index}`, class: 'base' as const }));
  const world = await startDevelopmentPlane({ directory, macs, tenants: ['t'], log: () => undefined, logger: pino({ level: 'silent' }) });
  const tenant = await world.connectAs('t');
  const isOperators = ({ user, write, resource }: RequestRecord) => user === 'macrack-operator' && write !== undefined && !['clocks.macrack.io', 'macclasses.macrack.io/status'].includes(resource);
  const bind = async (name: string) => {
    await tenant.create(Kinds.MacNodeLease, { metadata: { namespace: 't', name }, spec: { class: 'base' } });
    const deadline = performance.now() + 180_000;
    while ((await tenant.get(Kinds.MacNodeLease, { namespace: 't', name })).status?.phase !== 'Bound') {
      if (performance.now() > deadline) throw new Error(`${name} is not Bound in time`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const from = world.plane.requests.records.length;
  await bind('plain');
  const writes = world.plane.requests.records.slice(from).filter(isOperators).map(describeWrite);
  expect(writes).toEqual(['patch macnodeleases.macrack.io', 'patch macnodeleases.macrack.io/status', 'create macnodebindings.macrack.io', 'patch nodes', 'patch macnodeleases.macrack.io/status']);
  for (const moment of ['before', 'after'] as const) {
    for (let n = 1; n <= writes.length; n++) {
      let seen = 0;
      const undo = world.plane.requests.add({ [moment]: (record: RequestRecord) => { if (isOperators(record) && ++seen === n) throw new Error('cut'); } });
      await bind(`${moment}-${n}`);
      undo();
      expect(seen).toBeGreaterThanOrEqual(n);
    }
  }
  tenant.close();
  await world.stop();
  rmSync(directory, { recursive: true });
});
