import type { TerraformStack } from 'cdktf';
import { createdTwice } from '../../../provider/core/created-twice';
import type { Findings, ManagedKind } from '../../../provider/core/finding';
import { Run } from '../../../provider/core/run';
import { findingsOf } from '../../../provider/core/verdict-findings';
import { judgeSerial } from '../../../sdk/rules/judge-capacity';
import { judgePlacement } from '../../../sdk/rules/judge-placement';
import { judgeStart } from '../../../sdk/rules/judge-start';
import { isKnown, UNKNOWN, type Maybe } from '../../../sdk/rules/unknown';
import { declaredOf, shownName, writtenIn, type Declared } from './declared';
import { declaredInstances, type DeclaredInstance } from './leases';
import { subjectsAround } from './mark';
import { readText } from './reading';
import { pathOf } from './subject';
import { CONSTRUCTS, inWords } from './wording';

/** How a namespace is called that only the provider's kubeconfig knows. */
const DEFAULT_NAMESPACE = '(default namespace)';

const shownNamespace = (namespace: Maybe<string>): string => (isKnown(namespace) ? namespace : DEFAULT_NAMESPACE);

const shownId = (declared: Declared): string => `${shownNamespace(declared.namespace)}/${shownName(declared)}`;

/** The same as often as there are of it, each under a name of its own. */
function holders(instance: DeclaredInstance): { readonly namespace: string; readonly name: string; readonly state: string }[] {
  const { times, subject } = instance;
  const one = (name: string) => ({ namespace: shownNamespace(instance.namespace), name, state: 'declared' });
  return times === 1 ? [one(shownName(instance))] : Array.from({ length: times }, (_, index) => one(`(${pathOf(subject)}[${index}])`));
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string | undefined): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** Rule 1: three instances that name one lease. */
function startFindings(group: readonly DeclaredInstance[]): Findings {
  const [first] = group;
  if (first?.lease === undefined) return [];
  const lease = { namespace: shownNamespace(first.lease.namespace), name: first.lease.name };
  const verdict = judgeStart({ lease, serial: UNKNOWN, holders: [], starting: group.flatMap(holders), now: UNKNOWN });
  return findingsOf(verdict, { kind: 'instance', id: shownId(first), lease: `${lease.namespace}/${lease.name}` });
}

/** Rule 2: an instance of another namespace than its lease. Whether there is such a lease is asked at plan. */
function placementFindings(instance: DeclaredInstance): Findings {
  const { namespace, lease } = instance;
  if (lease === undefined || !isKnown(namespace) || !isKnown(lease.namespace)) return [];
  const leaseRef = { namespace: lease.namespace, name: lease.name };
  const { refusals } = judgePlacement({ instance: { namespace, name: shownName(instance), namespaceUID: UNKNOWN }, leaseRef, lease: UNKNOWN });
  return findingsOf({ refusals, undetermined: [], notes: [] }, { kind: 'instance', id: shownId(instance), lease: `${leaseRef.namespace}/${leaseRef.name}` });
}

/** The key of the lease whose slots an instance may take: one of another tenant takes none. */
const slotKey = (instance: DeclaredInstance): string | undefined => (placementFindings(instance).length > 0 ? undefined : instance.lease?.key);

/** A Mac serves one lease at a time, so of several leases that pin it all but one are refused, whoever they are of. */
function pinFindings(leases: readonly Declared[]): Findings {
  const pinned = leases.flatMap((lease) => {
    const serial = readText(writtenIn(lease.subject, 'serial'));
    return isKnown(serial) && serial !== null ? Array.from({ length: lease.times }, () => ({ lease, serial: serial.toLowerCase() })) : [];
  });
  return grouped(pinned, ({ serial }) => serial).flatMap(([first, ...others]) => others.flatMap(({ lease, serial }) => {
    const alsoOf = { id: first === undefined ? '' : shownId(first.lease), isNew: true };
    return findingsOf(judgeSerial({ serial, available: UNKNOWN, alsoOf }), { kind: 'lease', id: shownId(lease) });
  }));
}

/** Two resources of one name: the control plane has one object of it. */
function nameFindings(kind: ManagedKind, declared: readonly Declared[]): Findings {
  return grouped(declared, ({ through }) => through).flatMap((group) => {
    const run = new Run();
    return group.flatMap(({ namespace, name, times }) => (isKnown(namespace) && isKnown(name) && times === 1 ? createdTwice({ run, wording: CONSTRUCTS }, kind, { namespace, name }) : []));
  });
}

/** What is wrong with the constructs of a stack together, and with those of other stacks of its app that they meet. */
export function faultsOfStack(stack: TerraformStack): string[] {
  const subjects = subjectsAround(stack);
  const leases = declaredOf('macrack_mac_node_lease', subjects);
  const instances = declaredInstances(subjects, leases);
  const isHere = ({ subject }: Declared): boolean => subject.stack === stack;
  const findings = [
    ...grouped(instances, slotKey).filter((group) => group.some(isHere)).flatMap(startFindings),
    ...instances.filter(isHere).flatMap(placementFindings),
    ...pinFindings(leases),
    ...nameFindings('lease', leases.filter(isHere)), ...nameFindings('instance', instances.filter(isHere)),
  ];
  return findings.map(inWords);
}
