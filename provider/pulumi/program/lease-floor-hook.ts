import { ResourceHook, type ResourceHookArgs } from '@pulumi/pulumi';
import * as state from '@pulumi/pulumi/runtime/state';
import type { MacNodeLease } from '../../../sdk/api/kinds';
import { ConnectionError } from '../../../sdk/client/connect-options';
import { hasFailures, type Finding, type Findings } from '../../core/finding';
import { planLeaseDelete } from '../../core/lease-plan-delete';
import { storedLease, storedOnServer } from '../inputs/lease-outputs';
import { ownerOf } from '../../core/own';
import { tryParseOwner } from '../inputs/owner';
import { notConnected } from '../methods/held-session';
import type { Props } from '../props';
import type { Session } from '../session';
import { sentenceOf } from '../wording';
import { type Collector, collectorOf } from './collector';
import { currentEngine } from './engine';
import { programError } from './program-error';
import { sharedHook } from './shared';
import { leasesOfStack } from './strays';

/** Stored with every lease: a state that names a hook which no program registers can be neither previewed nor updated. It never changes. */
const NAME = 'macrack:lease-floor/v1';

const OLDEST = '3.187.0';

const errorsOf = (findings: Findings): readonly Finding[] => findings.filter(({ severity }) => severity === 'error');

// Internal to the package. A version that does not say it is refused: nothing else tells whether a hook would be called.
function supportsHooks(): boolean {
  const { getStore } = state as { readonly getStore?: () => { readonly supportsResourceHooks?: boolean } };
  return getStore?.().supportsResourceHooks === true;
}

const urnIn = (lease: MacNodeLease): string => tryParseOwner(ownerOf(lease))?.urn ?? '';

/** The hook of one run. It asks anew: a floor may have passed, or a lease been released, since the program began. */
class LeaseFloor {
  private session: Promise<Session> | undefined;
  private readonly told = new Set<string>();

  private readonly collector: Collector;

  constructor(engine: object) {
    this.collector = collectorOf(engine);
  }

  /** Refuses the delete of a lease that the rules do not let go, and on any doubt. */
  async guard({ urn, oldOutputs }: ResourceHookArgs): Promise<void> {
    const session = await this.open();
    const prior = storedLease((oldOutputs ?? {}) as Props);
    const findings = await planLeaseDelete(session.core, prior);
    const said = findings.filter(({ reason }) => reason !== 'Held' && reason !== 'NotTamperProof');
    await this.collector.say([{ urn, findings: said.filter(({ severity }) => severity === 'warning') }]);
    if (!hasFailures(findings)) return;
    await this.tellOthers(session, prior.namespace, urn);
    throw new Error(errorsOf(findings).map(sentenceOf).join('\n'));
  }

  private open(): Promise<Session> {
    this.session ??= this.collector.session.fresh();
    return this.session;
  }

  /**
   * The engine stops after as many refused deletes as it makes at once, so the first ones tell of the others: of leases that the program no
   * longer has, and, once two go that it does have, of all. That is a destroy, or a replacement that was asked for by name.
   */
  private async tellOthers(session: Session, namespace: string, urn: string): Promise<void> {
    const { urns } = this.collector;
    this.told.add(urn);
    const isDestroy = [...this.told].filter((each) => urns.has(each)).length > 1;
    const left = (await leasesOfStack(session, namespace, this.collector.run.marks)).filter((lease) => !this.told.has(urnIn(lease)) && (isDestroy || !urns.has(urnIn(lease))));
    for (const lease of left) this.told.add(urnIn(lease));
    for (const lease of left) {
      const findings = await planLeaseDelete(session.core, storedOnServer(lease));
      await this.collector.say([{ urn: urnIn(lease), findings: errorsOf(findings) }]);
    }
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
