import { isKnown, UNKNOWN, type Maybe } from '../../../sdk/rules/unknown';
import { insteadOfField, unknownFields } from '../../../sdk/rules/unknown-field';
import { failure, type Finding } from '../../core/finding';
import { isSet, maybe, type Props } from '../props';

function shown(value: unknown): string {
  switch (typeof value) {
    case 'object': return Array.isArray(value) ? 'a list' : 'an object';
    case 'function': case 'symbol': return `a ${typeof value}`;
    case 'string': return `string ${JSON.stringify(value)}`;
    default: return `${typeof value} ${String(value)}`;
  }
}

/** Something else than what a field takes. TypeScript says so before; JavaScript does not. */
function wrongType(path: string, value: unknown, wanted: string): Finding {
  return failure('InvalidValue', path, `${path} is ${shown(value)}`, `${path} takes ${wanted}. Write it so.`);
}

/** Reads the fields of one object, and notes every fault of them. A field at fault is read as unknown, so that nothing else is said of it. */
export class Fields {
  readonly findings: Finding[] = [];

  /** @param fields every name that the object may have; @param inside dotted place of the object, empty for the resource itself */
  constructor(private readonly kind: string, private readonly props: Props, fields: readonly string[], hidden: readonly string[] = [], private readonly inside = '') {
    for (const name of unknownFields(props, [...fields, ...hidden])) this.findings.push(failure('InvalidValue', this.path(name), `${kind} has no field ${JSON.stringify(this.path(name))}`, insteadOfField(fields)));
  }

  text(name: string): Maybe<string | null> {
    return this.read(name, 'a text', (value): value is string => typeof value === 'string');
  }

  flag(name: string): Maybe<boolean | null> {
    return this.read(name, 'true or false', (value): value is boolean => typeof value === 'boolean');
  }

  number(name: string): Maybe<number | null> {
    return this.read(name, 'a number', (value): value is number => typeof value === 'number');
  }

  /** An object in a field; null where it is not set. */
  object(name: string): Maybe<Props | null> {
    return this.read(name, 'an object', (value): value is Props => typeof value === 'object' && !Array.isArray(value));
  }

  /** A field without which the resource means nothing. */
  required<T>(name: string, value: Maybe<T | null>, wanted: string): Maybe<T> {
    if (!isKnown(value) || value !== null) return value;
    this.findings.push(failure('InvalidValue', this.path(name), `${this.kind} needs ${this.path(name)}`, `${this.path(name)} is not set. It takes ${wanted}. Set it.`));
    return UNKNOWN;
  }

  private path(name: string): string {
    return this.inside === '' ? name : `${this.inside}.${name}`;
  }

  private read<T>(name: string, wanted: string, is: (value: unknown) => value is T): Maybe<T | null> {
    const value = maybe(this.props[name]);
    if (!isKnown(value)) return UNKNOWN;
    if (!isSet(value)) return null;
    if (is(value)) return value;
    this.findings.push(wrongType(this.path(name), value, wanted));
    return UNKNOWN;
  }
}
