import type { Row, Rows } from './row';

const HEAD = ['bench', 'plane', 'what', 'value', 'unit'] as const;

const shown = (value: number): string => (Number.isInteger(value) ? String(value) : value.toPrecision(3));
const cells = ({ bench, plane, what, value, unit }: Row): string[] => [bench, plane, what, shown(value), unit];

/** One table; numbers stand at the right. */
export function table(rows: Rows): string {
  const lines = [[...HEAD], ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string => (HEAD[column] === 'value' ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0));
  return lines.map((line) => line.map(pad).join('  ').trimEnd()).join('\n');
}

/** One JSON document a line. */
export function documents(rows: Rows): string {
  return rows.map((row) => JSON.stringify(row)).join('\n');
}
