import { Reason } from '../../sdk/rules/reasons';
import type { Kind, KubeObject, NewObject } from '../../sdk/api/object';
import type { PlaneError, PlaneFault } from '../../sdk/client/errors';
import type { Core } from './core';
import { auxiliaryFault } from './fault-findings';
import { failure, warning, type Finding, type FindingReason, type Findings } from './finding';
import { Gate } from './gate';
import { titleOf, type Subject } from './title';

const PATHS: Partial<Record<FindingReason, string>> = {
  SerialUnavailable: 'serial', NameHeld: 'name', FloorTooShort: 'minimumDuration',
  ThirdInstance: 'lease', CrossTenant: 'lease', LeaseNotFound: 'lease', LeaseNotBound: 'lease', ShapeTooLarge: 'shape',
};

const REASONS: ReadonlySet<string> = new Set(Object.values(Reason));
const SPOKEN = new RegExp(`\\b(${Object.values(Reason).join('|')})\\b`);

/** What an admission layer of ours said, one entry a rule; else the words of the server under `Refused`. */
function answersOf(error: PlaneError): readonly { readonly reason: FindingReason; readonly message: string }[] {
  const causes = (error.detail.causes ?? []).filter(({ reason }) => REASONS.has(reason ?? ''));
  if (causes.length > 0) return causes.map(({ reason, message }) => ({ reason: reason as FindingReason, message: message ?? error.said }));
  return [{ reason: (SPOKEN.exec(error.said)?.[1] as FindingReason | undefined) ?? 'Refused', message: error.said }];
}

// RBAC says "cannot create resource"; admission and quota answer 403 as well, and those are refusals.
const lacksRight = (error: PlaneError): boolean => error.fault === 'Forbidden' && /cannot create resource/.test(error.said);

const lacksNamespace = (error: PlaneError): boolean => error.fault === 'NotFound' && /namespaces? "[^"]*" not found/.test(error.said);

const UNASKED: ReadonlySet<PlaneFault> = new Set(['Unauthorized', 'Unreachable', 'Timeout', 'Unavailable']);

/** The namespace that a create was meant for does not exist. */
export function missingNamespace(namespace: string): Finding {
  return failure('NamespaceNotFound', 'namespace', `there is no namespace ${namespace}`, `A tenant is a namespace, and ${namespace} does not exist on the control plane. Create it (\`kubectl create namespace ${namespace}\`, for which you may need an administrator), or name another one here or in the provider.`);
}

const sentence = (text: string): string => text.replace(/[.\s]*$/, '.');

/** A create that the control plane refused, in its own words where they are not ours. `except` leaves reasons out. */
export function refusedCreate(error: PlaneError, subject: Subject, namespace: string, except: readonly FindingReason[] = []): Findings {
  if (lacksNamespace(error)) return [missingNamespace(namespace)];
  if (lacksRight(error)) return [failure('Forbidden', 'namespace', `no right to create ${subject.kind} ${subject.id}`, `${sentence(error.said)} Nothing was written. Correct the namespace if ${namespace} is not the one you mean; else ask the administrator for the role macrack-tenant-editor in it.`)];
  return answersOf(error).filter(({ reason }) => !except.includes(reason)).map(({ reason, message }) => {
    const title = reason === 'Refused' ? `the control plane refuses ${subject.kind} ${subject.id}` : titleOf(reason, subject);
    return failure(reason, PATHS[reason] ?? '', title, `${sentence(message)} Nothing was written.`);
  });
}

/** Dry runs at once. A program may declare hundreds of leases together, and a control plane has others to answer. */
const AT_ONCE = 8;

const gates = new WeakMap<Core['facts'], Gate>();

function gateOf({ facts }: Core): Gate {
  const gate = gates.get(facts) ?? new Gate(AT_ONCE);
  gates.set(facts, gate);
  return gate;
}

/** Asks the control plane to judge a create without storing it. `advisory` reasons are left to the apply, since this run may change what they rest on. */
export async function dryRunFindings<T extends KubeObject>(core: Core, kind: Kind<T>, object: NewObject, subject: Subject, advisory: readonly FindingReason[] = []): Promise<Findings> {
  const namespace = object.metadata.namespace ?? '';
  const look = await gateOf(core).run(() => core.facts.ask((plane) => plane.create(kind, object, { dryRun: true })));
  if (look.seen) return [];
  const { error } = look;
  if (error === 'unconfigured' || UNASKED.has(error.fault)) return auxiliaryFault(error, `a dry run of ${subject.kind}s`, core.run);
  if (error.fault === 'AlreadyExists') return [];
  if (lacksRight(error)) {
    return core.run.isFirstToSay(`dry run ${kind.kind} ${namespace}`) ? [warning('NotChecked', '', `no right to create ${kind.plural} in ${namespace}`, `${sentence(error.said)} The control plane was not asked to judge this create, and the apply will need that right.`)] : [];
  }
  return refusedCreate(error, subject, namespace, advisory);
}
