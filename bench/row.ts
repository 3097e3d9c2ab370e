/** One number. Counts and ratios mean the same on any machine; `rate` and `ms` belong to the machine that they were measured on. */
export interface Row {
  readonly bench: string;
  readonly plane: 'dev' | 'real' | 'memory';
  /** What was counted or compared, in words. */
  readonly what: string;
  readonly value: number;
  readonly unit: 'writes' | 'rows' | 'requests' | 'objects' | 'ratio' | 'bytes' | 'rate' | 'ms';
}

export type Rows = readonly Row[];

/** Middle value; of an even number the upper one of the two. @throws RangeError for nothing */
export function median(values: readonly number[]): number {
  const middle = [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new RangeError('there is no median of nothing');
  return middle;
}

/** Milliseconds that something takes. */
export async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}
