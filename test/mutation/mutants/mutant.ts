import type { Mutation } from '../sandbox';

/** Tests of one file that must fail: for each text at least one whose name has it. */
export interface Catcher {
  readonly test: string;
  readonly names: readonly string[];
}

/** A stop that is taken away, and the tests that must notice, each by itself. */
export interface Mutant {
  /** What is gone, as a sentence. */
  readonly gone: string;
  readonly mutation: Mutation;
  readonly caughtBy: readonly Catcher[];
}

/** The stops of one file, as what is gone, the text, what stands there instead, and the names of the tests. */
export type Row = readonly [gone: string, replace: string, by: string, ...names: string[]];

/** Mutants of one file that one test file catches. */
export function mutantsOf(file: string, test: string, rows: readonly Row[]): Mutant[] {
  return rows.map(([gone, replace, by, ...names]) => ({ gone, mutation: { file, replace, by }, caughtBy: [{ test, names }] }));
}
