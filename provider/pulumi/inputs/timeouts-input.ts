import { isKnown, type Maybe } from '../../../sdk/rules/unknown';
import type { Patience } from '../../core/core';
import { patienceOf, type TimeoutTexts } from '../../core/timeouts';
import type { Props } from '../props';
import { Fields } from './fields';

const OPERATIONS = ['create', 'update', 'delete'] as const;

/** Reads the field `timeouts`, which every resource has, and notes its faults with those of `fields`. */
export function readTimeouts(fields: Fields, kind: string): TimeoutTexts {
  const props: Maybe<Props | null> = fields.object('timeouts');
  if (!isKnown(props) || props === null) return {};
  const inner = new Fields(kind, props, OPERATIONS, [], 'timeouts');
  const texts: TimeoutTexts = { create: inner.text('create'), update: inner.text('update'), delete: inner.text('delete') };
  fields.findings.push(...inner.findings);
  return texts;
}

/** How long the operations of a resource in the state may take. */
export function patienceIn({ timeouts }: Props): Patience {
  return patienceOf((timeouts ?? {}));
}
