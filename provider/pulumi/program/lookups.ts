import { Kinds, type MacClass, type MacNodeLease } from '../../../sdk/api/kinds';
import { ConnectionError } from '../../../sdk/client/connect-options';
import { PlaneError } from '../../../sdk/client/errors';
import { essentialFault } from '../../core/fault-findings';
import { leaseOutputs } from '../inputs/lease-outputs';
import { notConnected } from '../methods/held-session';
import type { Session } from '../session';
import { sentenceOf } from '../wording';
import { programError } from './program-error';
import { ProgramSession } from './program-session';
import { checkSecrets, readStackConfig } from './stack-config';
import type { Slots } from './mac-node-lease';

/** A lease as the control plane has it now. */
export interface MacNodeLeaseResult {
  /** "namespace/name". */
  readonly leaseId: string;
  readonly namespace: string;
  readonly name: string;
  readonly class: string;
  readonly minimumDuration: string;
  readonly uid: string;
  /** Pending, Binding, Bound, Held, Releasing or Released. */
  readonly phase: string;
  /** Serial of the Mac that is bound, in lower case. */
  readonly chassis?: string;
  readonly node?: string;
  /** RFC 3339, as are the others. */
  readonly boundAt?: string;
  readonly earliestReleaseAt?: string;
  readonly heldSince?: string;
  readonly slots?: Slots;
}

/** A class of Macs: what one has, and how many there are. Names no tenant. */
export interface MacClassResult {
  readonly name: string;
  readonly cpu: number;
  readonly memory: string;
  readonly disk: string;
  readonly total?: number;
  readonly unleased?: number;
  readonly leased?: number;
  readonly held?: number;
  /** The soonest end of a floor, rounded up to the hour, RFC 3339. */
  readonly nextRelease?: string;
}

/** A query that JavaScript has left out, or without its name. */
function nameIn(query: { readonly name?: unknown } | null | undefined, call: string): string {
  if (typeof query?.name === 'string' && query.name !== '') return query.name;
  throw programError(`InvalidValue: ${call} needs a name. Write ${call}({ name: "…" }).`);
}

/** Asks the control plane in the rights of the stack's credentials; every fault is one sentence. */
async function asking<T>(what: string, ask: (session: Session) => Promise<T>): Promise<T> {
  try {
    return await ask(await new ProgramSession({ readConfig: readStackConfig, checkSecrets }).get());
  } catch (error) {
    if (error instanceof ConnectionError) throw programError(notConnected(error));
    if (error instanceof PlaneError) throw programError(sentenceOf(essentialFault(error, what)));
    throw error;
  }
}

function resultOf(lease: MacNodeLease): MacNodeLeaseResult {
  const { metadata: { namespace = '', name }, spec } = lease;
  return { leaseId: `${namespace}/${name}`, namespace, name, class: spec.class, minimumDuration: spec.minimumDuration, ...leaseOutputs(lease) } as MacNodeLeaseResult;
}

/**
 * Looks a lease up, in a preview too. It is read when the program runs: do not ask for a lease that the same program makes.
 * @param query `namespace` defaults to `macrack:namespace`, else to that of the kubeconfig's context
 * @throws RunError `LeaseNotFound`, or in one sentence why the control plane could not be asked
 */
export async function getMacNodeLease(query: { readonly name: string; readonly namespace?: string }): Promise<MacNodeLeaseResult> {
  const name = nameIn(query, 'getMacNodeLease');
  return asking(`read lease ${name}`, async ({ core: { plane }, namespace }) => {
    const named = { namespace: query.namespace ?? namespace, name };
    const lease = await plane.tryGet(Kinds.MacNodeLease, named);
    if (lease === null) throw programError(`LeaseNotFound: namespace ${named.namespace} has no lease ${named.name}. Correct the name, or create the lease first.`);
    return resultOf(lease);
  });
}

/** All leases of a namespace, in the order of their names. @throws RunError as `getMacNodeLease` does */
export function getMacNodeLeases(query: { readonly namespace?: string; readonly phase?: string; readonly class?: string } = {}): Promise<readonly MacNodeLeaseResult[]> {
  return asking('list leases', async ({ core: { plane }, namespace }) => {
    const { items } = await plane.list(Kinds.MacNodeLease, { namespace: query.namespace ?? namespace });
    const leases = items.map(resultOf).filter((lease) => (query.phase === undefined || lease.phase === query.phase) && (query.class === undefined || lease.class === query.class));
    return leases.sort((a, b) => (a.name < b.name ? -1 : 1));
  });
}

function classOf({ metadata: { name }, spec, status }: MacClass): MacClassResult {
  const { total, unleased, leased, held, nextReleaseAt } = (status ?? {}) as Partial<Record<string, unknown>>;
  const known = Object.entries({ total, unleased, leased, held, nextRelease: nextReleaseAt }).filter(([, value]) => value !== undefined);
  return { name, cpu: spec.cpu, memory: spec.memory, disk: spec.disk, ...Object.fromEntries(known) };
}

/** What a Mac of a class has, and how many are free now. @throws RunError as `getMacNodeLease` does */
export async function getMacClass(query: { readonly name: string }): Promise<MacClassResult> {
  const name = nameIn(query, 'getMacClass');
  return asking(`read class ${name}`, async ({ core: { plane } }) => {
    const found = await plane.tryGet(Kinds.MacClass, { name });
    if (found === null) throw programError(`NotFound: there is no class ${name}. Classes are base, pro and studio, as far as the fleet has them.`);
    return classOf(found);
  });
}
