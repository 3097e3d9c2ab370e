import { ResourceHook, type ResourceHookArgs } from '@pulumi/pulumi';
import * as state from '@pulumi/pulumi/runtime/state';
import type { MacNodeLease } from '../../../sdk/api/kinds';
import { ConnectionError } from '../../../sdk/client/connect-options';
import { hasFailures, type Finding, type Findings } from '../../core/finding';
import { planLeaseDelete, type Going } from '../../core/lease-plan-delete';
import { notConnected } from '../methods/held-session';
import type { Session } from '../session';
import { sentenceOf } from '../wording';
import { type Collector, collectorOf } from './collector';
import { currentEngine } from './engine';
import { leaseInState } from './hook-state';
import { programError } from './program-error';
import { sharedHook } from './shared';
import { earlyReleases, keeperOf, urnIn } from './strays';

/** Stored with every lease: a state that names a hook which no program registers can be neither previewed nor updated. It never changes. */
const NAME = 'macrack:lease-floor/v1';

const OLDEST = '3.187.0';

const errorsOf = (findings: Findings): readonly Finding[] => findings.filter(({ severity }) => severity === 'error');

// Internal to the package. A version that does not say it is refused: nothing else tells whether a hook would be called.
function supportsHooks(): boolean {
  const { getStore } = state as { readonly getStore?: () => { readonly supportsResourceHooks?: boolean } };
  return getStore?.().supportsResourceHooks === true;
}

const GOING: Readonly<Record<'replaced' | 'destroyed' | 'removed', Going>> = {
  replaced: { cause: 'replaced (by --replace or --target-replace, or because its state is tainted)', replacement: true },
  destroyed: { cause: 'destroyed', replacement: false },
  removed: { cause: 'destroyed or removed from the configuration', replacement: false },
};

/** The hook of one run. It asks anew: a floor may have passed, or a lease been released, since the program began. */
class LeaseFloor {
  private session: Promise<Session> | undefined;
  private readonly told = new Set<string>();

  private readonly collector: Collector;

  constructor(engine: object) {
    this.collector = collectorOf(engine);
  }

  /** Refuses the delete of a lease that the rules do not let go, and on any doubt. */
  async guard(args: ResourceHookArgs): Promise<void> {
    const { urn } = args;
    const session = await this.open();
    const prior = await leaseInState(args);
    const fate = this.fateOf(urn);
    const findings = await planLeaseDelete(session.core, prior, GOING[fate]);
    const said = findings.filter(({ reason }) => reason !== 'Held' && reason !== 'NotTamperProof');
    await this.collector.say([{ urn, findings: said.filter(({ severity }) => severity === 'warning') }]);
    if (!hasFailures(findings)) return;
    await this.tellOthers(session, prior.namespace, urn, fate);
    throw new Error(errorsOf(findings).map(sentenceOf).join('\n'));
  }

  private open(): Promise<Session> {
    this.session ??= this.collector.session.fresh();
    return this.session;
  }

  /** A delete for the sake of a replacement comes before the engine has answered for the resource, that of a destroy long after. */
  private fateOf(urn: string): keyof typeof GOING {
    const { urns, registered } = this.collector;
    if (!urns.has(urn)) return 'removed';
    return registered.has(urn) ? 'destroyed' : 'replaced';
  }

  /**
   * The engine stops after as many refused deletes as it makes at once, so the first ones tell of the others: in a destroy of all, else of
   * leases that the program no longer has. While something is replaced, the program has not declared everything.
   */
  private async tellOthers(session: Session, namespace: string, urn: string, fate: keyof typeof GOING): Promise<void> {
    this.told.add(urn);
    if (fate === 'replaced') return;
    for (const each of new Set([namespace, ...this.collector.namespaces(session)])) await this.tellOf(session, each, fate);
  }

  private async tellOf(session: Session, namespace: string, fate: 'destroyed' | 'removed'): Promise<void> {
    const declares = this.collector.declares(session);
    const isOther = (lease: MacNodeLease): boolean => !this.told.has(urnIn(lease)) && (fate === 'destroyed' || keeperOf(lease, declares) === undefined);
    const others = await earlyReleases(session, namespace, this.collector.run.marks, isOther, GOING[fate].cause);
    for (const other of others) this.told.add(other.urn);
    await this.collector.say(others);
  }
}

/** The engine takes a fault without a text for success: every fault gets one. */
async function failingClosed(check: Promise<void>): Promise<void> {
  try {
    await check;
  } catch (error) {
    if (error instanceof ConnectionError) throw new Error(notConnected(error));
    const text = error instanceof Error ? error.message : String(error);
    throw new Error(text.trim() === '' ? 'NotChecked: the floor of this lease could not be looked up. It stays; run it again.' : text);
  }
}

/**
 * The hook that guards the deletes of leases in a preview and in an update, registered once for the run. undefined outside a run and in
 * the unit tests of a program. Throws on an engine that knows no hooks: a lease is never left unguarded.
 */
export function leaseFloorHook(): ResourceHook | undefined {
  const engine = currentEngine();
  if (engine === undefined) return undefined;
  if (!supportsHooks()) {
    throw programError(`MacRack needs Pulumi ${OLDEST} or later: this one has no resource hooks, which keep a lease from being released before its floor. Update the Pulumi CLI.`);
  }
  return sharedHook(engine, () => {
    const floor = new LeaseFloor(engine);
    return new ResourceHook(NAME, (args) => failingClosed(floor.guard(args)), { onDryRun: true });
  });
}
