import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Reason, ruleOf } from '../../sdk/rules/reasons';
import { rowsOf } from './table';
import { APPLY_LAYERS, LAYERS, PREVIEW_LAYERS, VERDICTS, type Layer, type Row } from './verdicts';

/** Reasons that no preview can give. */
const atRunTimeOnly: Partial<Record<Reason, string>> = {
  IdentityCollision: 'an identity is made with the machine, long after the plan',
  KernelLimit: 'what the kernel counts is known when it refuses',
};

const ruled = Object.values(Reason).filter((reason) => ruleOf(reason) !== undefined);

/** The layers that are asked one of these rows. */
function askedOf(rows: readonly Row[]): ReadonlySet<Layer> {
  return new Set(LAYERS.filter((layer) => rows.some((row) => row.skip[layer] === undefined)));
}

const among = (layers: readonly Layer[], asked: ReadonlySet<Layer>): Layer[] => layers.filter((layer) => asked.has(layer));
const rowsWith = (expected: (reason: Reason) => boolean): Row[] => VERDICTS.filter(({ expect: reason }) => reason !== 'allowed' && expected(reason));

describe.each(ruled)('the refusal %s', (reason) => {
  const asked = askedOf(rowsWith((expected) => expected === reason));

  it('is held by two layers or more that stand in the way of the write or the start', () => {
    expect(among(APPLY_LAYERS, asked).length).toBeGreaterThanOrEqual(2);
  });

  it('is seen in a preview, unless it cannot be known there', () => {
    expect(among(PREVIEW_LAYERS, asked).length > 0).toBe(atRunTimeOnly[reason] === undefined);
  });
});

describe.each([1, 2, 3] as const)('rule %s', (rule) => {
  it('is seen in a preview, and held by two layers or more besides', () => {
    const asked = askedOf(rowsWith((reason) => ruleOf(reason) === rule));
    expect(among(PREVIEW_LAYERS, asked)).not.toEqual([]);
    expect(among(APPLY_LAYERS, asked).length).toBeGreaterThanOrEqual(2);
  });
});

describe('the table', () => {
  it('asks every row of a layer', () => {
    expect(VERDICTS.filter((row) => askedOf([row]).size === 0)).toEqual([]);
  });

  it('gives a sentence for each layer that is not asked', () => {
    const sentences = VERDICTS.flatMap(({ skip }) => Object.values(skip));
    expect(sentences.filter((sentence) => sentence.trim().split(' ').length < 3)).toEqual([]);
  });

  it('names each row once', () => {
    expect(new Set(VERDICTS.map(({ name }) => name)).size).toBe(VERDICTS.length);
  });

  it.each(LAYERS)('has rows for layer %s, some refused and some allowed, and a file that asks it', (layer) => {
    const expected = rowsOf(layer).map(({ expect: reason }) => reason === 'allowed');
    expect([expected.includes(true), expected.includes(false)]).toEqual([true, true]);
    expect(existsSync(join(__dirname, `${layer}.test.ts`))).toBe(true);
  });
});
