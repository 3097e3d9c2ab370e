import type { Owner } from '../../core/ownership';

const PREFIX = 'pulumi:';

/** The resource that keeps an object in its state: organization and URN, which names stack and project. */
export interface OwnerInput {
  readonly organization: string;
  readonly urn: string;
}

/** The input `owner` of a resource. */
export function ownerInput({ organization, urn }: OwnerInput): string {
  return `${organization}/${urn}`;
}

/** The mark that the objects of a resource carry, of its input `owner`. */
export function ownerFor(input: unknown): Owner {
  return typeof input === 'string' && input.includes('/urn:pulumi:') ? `${PREFIX}${input}` : undefined;
}

/** Reads an input `owner`, or the mark of an object; undefined for what no resource of Pulumi has written. */
export function tryParseOwner(text: string | undefined): OwnerInput | undefined {
  const match = /^(?:pulumi:)?(.*?)\/(urn:pulumi:.+)$/.exec(text ?? '');
  return match === null ? undefined : { organization: match[1] ?? '', urn: match[2] ?? '' };
}

/** What the marks of all resources of one stack begin with. */
export function marksOfStack(organization: string, stack: string, project: string): string {
  return `${PREFIX}${organization}/urn:pulumi:${stack}::${project}::`;
}

const WITHHELD = 'withheld: ';

/** What stands in the input `owner` of a resource that must not be made: why. */
export function withheldInput(why: string): string {
  return `${WITHHELD}${why}`;
}

/** Why a resource must not be made; undefined for one that may. */
export function tryParseWithheld(input: unknown): string | undefined {
  return typeof input === 'string' && input.startsWith(WITHHELD) ? input.slice(WITHHELD.length) : undefined;
}
