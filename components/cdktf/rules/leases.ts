import { Tokenization, type TerraformStack } from 'cdktf';
import { tryParseId } from '../../../provider/core/object-id';
import { isKnown, UNKNOWN, type Maybe } from '../../../sdk/rules/unknown';
import { declaredOf, shownName, writtenIn, type Declared } from './declared';
import { readText } from './reading';
import type { Subject } from './subject';

/** The lease that an instance names. */
export interface NamedLease {
  /** What tells one lease from another. */
  readonly key: string;
  readonly namespace: Maybe<string>;
  readonly name: string;
}

/** An instance, and the lease that it names; undefined where only the plan knows which. */
export interface DeclaredInstance extends Declared {
  readonly lease: NamedLease | undefined;
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

const keyOfReference = (origin: TerraformStack | undefined, identifier: string): string => `${origin?.node.path ?? ''} ${identifier}`;

/** The leases of an app, by what instances refer to them with. */
class Leases {
  private readonly byReference: ReadonlyMap<string, Declared>;

  constructor(leases: readonly Declared[]) {
    this.byReference = new Map(leases.map((lease) => {
      const { element, stack } = lease.subject;
      return [keyOfReference(stack, `macrack_mac_node_lease.${element.friendlyUniqueId}.id`), lease];
    }));
  }

  /** Of an instance that goes through a configuration of the provider. @param text its `lease` */
  named(text: unknown, through: string): NamedLease | undefined {
    const reference = referenceIn(text);
    if (reference !== undefined) return this.referred(reference.identifier, reference.origin);
    const id = readText(text);
    const parsed = isKnown(id) && id !== null ? tryParseId(id) : undefined;
    return parsed === undefined ? undefined : { key: keyOfId(through, parsed.namespace, parsed.name), ...parsed };
  }

  private referred(identifier: string, origin: TerraformStack | undefined): NamedLease | undefined {
    if (!LEASE_ID.test(identifier)) return undefined;
    const key = keyOfReference(origin, identifier);
    const found = this.byReference.get(key);
    if (found === undefined) return { key, namespace: UNKNOWN, name: identifier.replace(/\.id$/, '') };
    if (found.times !== 1) return undefined;
    const { namespace, name, through } = found;
    return { key: isKnown(namespace) && isKnown(name) ? keyOfId(through, namespace, name) : key, namespace, name: shownName(found) };
  }
}

/** The instances of an app, each with its lease. One that names no namespace is of its lease's, not of the provider's. */
export function declaredInstances(subjects: readonly Subject[], declaredLeases: readonly Declared[]): DeclaredInstance[] {
  const leases = new Leases(declaredLeases);
  return declaredOf('macrack_macos_instance', subjects).map((instance) => {
    const lease = leases.named(writtenIn(instance.subject, 'lease'), instance.through);
    const own = readText(writtenIn(instance.subject, 'namespace'));
    return { ...instance, lease, namespace: own ?? lease?.namespace ?? UNKNOWN };
  });
}
