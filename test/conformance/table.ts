import type { Reason } from '../../sdk/rules/reasons';
import { VERDICTS, type Layer, type Row } from './verdicts';

/** What a layer answers to a row: the reasons that it refuses with; empty for allowed. */
export type Answer = readonly Reason[];

/**
 * Runs the table against one layer. A layer answers every row that it has no written reason to skip; a refusal for another
 * reason than the expected one is a failure, and so is a second refusal beside it.
 */
export function describeLayer(layer: Layer, answer: (row: Row) => Promise<Answer> | Answer): void {
  describe(`verdicts of layer ${layer}`, () => {
    for (const row of VERDICTS.filter((r) => r.skip[layer] === undefined)) {
      it(row.name, async () => {
        const expected = row.expect === 'allowed' ? [] : [row.expect];
        expect([...new Set(await answer(row))]).toEqual(expected);
      });
    }
  });
}
