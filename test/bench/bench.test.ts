import { documents, table } from '../../bench/print';
import { bench, BENCHES } from '../../bench/run';
import type { Row, Rows } from '../../bench/row';

const SMALL = { binds: 1, macs: 1, times: 2, chassis: 2, leases: 20 };

let rows: Rows;
beforeAll(async () => {
  rows = await bench('dev', new Set(BENCHES), SMALL);
});

const find = (name: string, what: string): Row | undefined => rows.find((row) => row.bench === name && row.what === what);
const writesOf = (prefix: string): Record<string, number> => Object.fromEntries(rows.filter(({ what }) => what.startsWith(prefix)).map(({ what, value }) => [what.slice(prefix.length), value]));

describe('what a bind and a start write', () => {
  it('five writes of the operator make a bind, whatever else waits', () => {
    expect(writesOf('per bind, operator: ')).toEqual({
      all: 5, 'patch macnodeleases.macrack.io': 1, 'patch macnodeleases.macrack.io/status': 2, 'create macnodebindings.macrack.io': 1, 'patch nodes': 1,
    });
  });

  it('the record holds an intent and an outcome of it', () => {
    expect(find('writes', 'per bind, rows of the audit record')?.value).toBe(2);
  });

  it('a start makes one pod, with its instance held and its disk kept by one write each', () => {
    expect(writesOf('per start, operator: ')).toMatchObject({ 'create pods': 1, 'patch macosinstances.macrack.io': 1, 'patch nodes': 1 });
  });

  it('the tenant asks once', () => {
    expect([writesOf('per bind, tenant: '), writesOf('per start, tenant: ')]).toEqual([
      { all: 1, 'create macnodeleases.macrack.io': 1 }, { all: 1, 'create macosinstances.macrack.io': 1 },
    ]);
  });
});

describe('what a fleet and a list hold', () => {
  it('the operator is weighed over Mac, node, claim and lease of each chassis, and instance and pod of each machine', () => {
    expect(find('memory', 'objects of 2 Macs and 4 instances')?.value).toBe(2 * 4 + 4 * 2);
  });

  it('all leases come in one request', () => {
    expect([find('list', 'leases in the list')?.value, find('list', 'requests of the list')?.value]).toEqual([20, 1]);
  });
});

describe('what is printed', () => {
  it('every bench has rows, and each number is one', () => {
    expect([...new Set(rows.map((row) => row.bench))]).toEqual([...BENCHES]);
    expect(rows.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
  });

  it('the table has a line a row, and so have the documents', () => {
    expect(table(rows).split('\n')).toHaveLength(rows.length + 1);
    expect(documents(rows).split('\n').map((line) => JSON.parse(line) as Row)).toEqual(rows);
  });
});
