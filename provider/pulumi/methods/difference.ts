import { isDeepStrictEqual } from 'node:util';
import { UNKNOWN } from '../../../sdk/rules/unknown';
import { isSet, maybe, type Props } from '../props';

/** What `diff` answers. A replacement is always delete first: a Mac and its slots cannot be had twice. */
export interface Difference {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly deleteBeforeReplace: true;
}

/** Inputs that differ. One that is not known yet counts as different. */
export function changedFields(olds: Props, news: Props, fields: readonly string[]): string[] {
  return fields.filter((field) => {
    const [was, is] = [olds[field], maybe(news[field])];
    if (is === UNKNOWN) return true;
    return isSet(was) || isSet(is) ? !isDeepStrictEqual(was, is) : false;
  });
}

export function difference(changed: readonly string[], replaces: readonly string[]): Difference {
  return { changes: changed.length > 0 || replaces.length > 0, replaces: [...replaces], deleteBeforeReplace: true };
}
