import type { Reason } from '../../sdk/rules/reasons';
import { VERDICTS, type Ask, type Layer, type Row } from './verdicts';

/** What a layer answers to a row: the reasons that it refuses with; empty for allowed. */
export type Answer = readonly Reason[];

/** The ask of one kind. */
export type AskOf<K extends Ask['kind']> = Extract<Ask, { kind: K }>;

/**
 * Runs the table against one layer. A layer answers every row that it has no written reason to skip; a refusal for another
 * reason than the expected one is a failure, and so is a second refusal beside it.
 * @param leftOut why a row cannot be asked where this runs, although the layer can be asked it elsewhere
 */
export function describeLayer(layer: Layer, answer: (row: Row) => Promise<Answer> | Answer, leftOut: (row: Row) => string | undefined = () => undefined): void {
  describe(`verdicts of layer ${layer}`, () => {
    for (const row of rowsOf(layer).filter((each) => leftOut(each) === undefined)) {
      it(row.name, async () => {
        const expected = row.expect === 'allowed' ? [] : [row.expect];
        expect([...new Set(await answer(row))]).toEqual(expected);
      });
    }
  });
}

/** The rows that a layer is asked. */
export function rowsOf(layer: Layer): Row[] {
  return VERDICTS.filter((row) => row.skip[layer] === undefined);
}

/** The answer over several ways round one rule: all of them are open, or all of them are closed. Throws when they differ. */
export function overAllWays(answers: readonly Answer[]): Answer {
  const open = answers.filter((answer) => answer.length === 0).length;
  if (open > 0 && open < answers.length) throw new Error(`${open} of ${answers.length} ways round are open: ${JSON.stringify(answers)}`);
  return answers.flat();
}

/** For a kind of ask that the table says this layer skips. */
export function notAsked({ name }: Row): never {
  throw new Error(`the table skips this row here: ${name}`);
}
