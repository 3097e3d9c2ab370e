import { TerraformProvider, TerraformResource, type TerraformStack } from 'cdktf';
import { isKnown, UNKNOWN, type Maybe } from '../../../sdk/rules/unknown';
import { readRequired, readText } from './reading';
import type { Subject } from './subject';

/** A resource of ours that an app declares. */
export interface Declared {
  readonly subject: Subject;
  /** The configuration of the provider that it goes through: two of them may lead to two control planes. */
  readonly through: string;
  readonly namespace: Maybe<string>;
  readonly name: Maybe<string>;
  /** How many of it there are for sure: 1, a literal `count`, or 0 where only the plan knows. */
  readonly times: number;
}

export const writtenIn = ({ inputs }: Subject, name: string): unknown => inputs.written[name];

/** The providers that resources go through which name none: in each stack the one without an alias. */
class DefaultProviders {
  private readonly found = new Map<TerraformStack, TerraformProvider>();

  constructor(subjects: readonly Subject[]) {
    for (const { element, stack, type } of subjects) {
      if (type === 'macrack' && TerraformProvider.isTerraformProvider(element) && element.alias === undefined) this.found.set(stack, element);
    }
  }

  of({ element, stack }: Subject): TerraformProvider | undefined {
    const given: unknown = (element as Partial<TerraformResource>).provider;
    return TerraformProvider.isTerraformProvider(given) ? given : this.found.get(stack);
  }
}

/** More than anybody has of one resource; only keeps a slip of the keyboard from filling the memory. */
const MOST_TIMES = 1000;

function timesOf({ element }: Subject): number {
  const { count, forEach } = element as TerraformResource;
  if (forEach !== undefined) return 0;
  if (count === undefined) return 1;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? Math.min(count, MOST_TIMES) : 0;
}

/** The namespace that is written, else the provider's where that is written. */
function namespaceOf(subject: Subject, provider: TerraformProvider | undefined): Maybe<string> {
  const own = readText(writtenIn(subject, 'namespace'));
  if (own !== null) return own;
  return readText((provider as { readonly namespace?: string } | undefined)?.namespace) ?? UNKNOWN;
}

/** The resources of one type among the constructs of an app. */
export function declaredOf(type: string, subjects: readonly Subject[]): Declared[] {
  const providers = new DefaultProviders(subjects);
  return subjects.filter((subject) => subject.type === type && TerraformResource.isTerraformResource(subject.element)).map((subject) => {
    const provider = providers.of(subject);
    return {
      subject, through: provider?.node.path ?? subject.stack.node.path, times: timesOf(subject),
      namespace: namespaceOf(subject, provider), name: readRequired(writtenIn(subject, 'name')),
    };
  });
}

/** How the name of one is shown: its place where only the plan knows the name. */
export const shownName = ({ name, subject }: Declared): string => (isKnown(name) ? name : `(${subject.element.node.path})`);
