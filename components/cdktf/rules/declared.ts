import { TerraformProvider, TerraformResource, TerraformStack, Tokenization, type TerraformElement } from 'cdktf';
import { tryParseId } from '../../../provider/core/object-id';
import { isKnown, UNKNOWN, type Maybe } from '../../../sdk/rules/unknown';
import { readText, readRequired } from './reading';
import { pathOf, type Subject } from './subject';

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

const inputOf = ({ inputs }: Subject, name: string): unknown => inputs.written[name];

function providerOf(element: TerraformElement): TerraformProvider | undefined {
  const given = (element as Partial<TerraformResource>).provider;
  if (given !== undefined) return given;
  const stack = TerraformStack.of(element);
  return stack.node.findAll().filter((node) => TerraformProvider.isTerraformProvider(node))
    .find((provider) => provider.terraformResourceType === 'macrack' && provider.alias === undefined);
}

function timesOf({ element }: Subject): number {
  const { count, forEach } = element as TerraformResource;
  if (forEach !== undefined) return 0;
  if (count === undefined) return 1;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : 0;
}

/** The namespace that is written, else the provider's where that is written. */
function namespaceOf(subject: Subject, provider: TerraformProvider | undefined): Maybe<string> {
  const own = readText(inputOf(subject, 'namespace'));
  if (own !== null) return own;
  return readText((provider as { readonly namespace?: string } | undefined)?.namespace) ?? UNKNOWN;
}

function declared(subject: Subject): Declared {
  const provider = providerOf(subject.element);
  return {
    subject, through: provider?.node.path ?? subject.stack.node.path, times: timesOf(subject),
    namespace: namespaceOf(subject, provider), name: readRequired(inputOf(subject, 'name')),
  };
}

const isOf = (type: string) => (subject: Subject): boolean => subject.type === type && TerraformResource.isTerraformResource(subject.element);

export function declaredLeases(subjects: readonly Subject[]): Declared[] {
  return subjects.filter(isOf('macrack_mac_node_lease')).map(declared);
}

/** An instance, and the lease that it names. */
export interface DeclaredInstance extends Declared {
  /** What tells one lease from another; undefined where only the plan knows which it is. */
  readonly leaseKey: string | undefined;
  readonly lease: { readonly namespace: Maybe<string>; readonly name: string } | undefined;
}

/** The attribute that a text refers to, where it is one reference and nothing else. */
function referenceIn(text: unknown): { readonly identifier: string; readonly origin: TerraformStack | undefined } | undefined {
  if (typeof text !== 'string') return undefined;
  const { tokens: [token], length } = Tokenization.reverseString(text);
  const { identifier, originStack } = (token ?? {}) as { readonly identifier?: unknown; readonly originStack?: TerraformStack };
  return length === 1 && typeof identifier === 'string' ? { identifier, origin: originStack } : undefined;
}

const LEASE_ID = /^(data\.)?macrack_mac_node_lease\.[^.[\]*]+\.id$/;

const keyOfId = (through: string, namespace: string, name: string): string => `${through} ${namespace}/${name}`;

function keyOfLease({ through, namespace, name, subject }: Declared): string {
  return isKnown(namespace) && isKnown(name) ? keyOfId(through, namespace, name) : pathOf(subject);
}

function referred(text: unknown, leases: readonly Declared[]): Pick<DeclaredInstance, 'leaseKey' | 'lease'> | undefined {
  const reference = referenceIn(text);
  if (reference === undefined || !LEASE_ID.test(reference.identifier)) return undefined;
  const { identifier, origin } = reference;
  const found = leases.find(({ subject: { element, stack } }) => stack === origin && identifier === `macrack_mac_node_lease.${element.friendlyUniqueId}.id`);
  if (found === undefined) return { leaseKey: `${origin?.node.path ?? ''} ${identifier}`, lease: { namespace: UNKNOWN, name: identifier.replace(/\.id$/, '') } };
  if (found.times !== 1) return undefined;
  return { leaseKey: keyOfLease(found), lease: { namespace: found.namespace, name: isKnown(found.name) ? found.name : pathOf(found.subject) } };
}

function named(text: unknown, through: string): Pick<DeclaredInstance, 'leaseKey' | 'lease'> | undefined {
  const id = readText(text);
  const lease = isKnown(id) && id !== null ? tryParseId(id) : undefined;
  return lease === undefined ? undefined : { leaseKey: keyOfId(through, lease.namespace, lease.name), lease };
}

export function declaredInstances(subjects: readonly Subject[], leases: readonly Declared[]): DeclaredInstance[] {
  return subjects.filter(isOf('macrack_macos_instance')).map((subject) => {
    const instance = declared(subject);
    const text = inputOf(subject, 'lease');
    const lease = referred(text, leases) ?? named(text, instance.through) ?? { leaseKey: undefined, lease: undefined };
    // An instance that names no namespace is of its lease's, not of the provider's.
    const own = readText(inputOf(subject, 'namespace'));
    return { ...instance, ...lease, namespace: own ?? lease.lease?.namespace ?? UNKNOWN };
  });
}
