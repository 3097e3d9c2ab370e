import type { Resource } from '@pulumi/pulumi';
import * as settings from '@pulumi/pulumi/runtime/settings';
import { ConnectionError } from '../../../sdk/client/connect-options';
import type { Finding } from '../../core/finding';
import type { Session } from '../session';
import { sentenceOf } from '../wording';
import { NOT_YET, type Declared } from './declaration';
import { currentEngine } from './engine';
import { idOfLease, judgeProgram, type Judged } from './judgement';
import { currentRun, type ProgramRun } from './program-run';
import { ProgramSession } from './program-session';
import { sharedUrns } from './shared';
import { strays } from './strays';

/** Milliseconds without a new resource after which the program is taken to have declared everything. */
const REST_MS = 250;

/** Findings that are about the run as a whole. */
const GENERAL: ReadonlySet<Finding['reason']> = new Set(['NewLeases', 'NoCapacity', 'NotTamperProof']);

/** Ends with the turn of the event loop: whatever the program declares without waiting is declared then. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * The resources that a program declares. The engine checks one at a time and stops at the first refusal, in any order; so every group of
 * resources is judged before its first one is registered, and every refusal of it is said, each at its resource. The checks then refuse.
 * An error that is said here fails nothing by itself.
 */
export class Collector {
  readonly session: ProgramSession;
  private readonly declared: Declared[] = [];
  private readonly resources = new Map<Declared, Resource>();
  private group: { readonly members: Declared[]; readonly judged: Promise<void> } | undefined;
  private resting: NodeJS.Timeout | undefined;
  private release: (() => void) | undefined;

  /** @param urns of all resources that the program declares, through whichever copy of the package */
  constructor(readonly urns: Set<string>, readonly run: ProgramRun) {
    this.session = new ProgramSession(run);
  }

  /** Takes a resource in. Resolves when its group has been judged, and what there is to say has been said. */
  declare(declared: Declared): Promise<void> {
    this.urns.add(declared.urn);
    this.declared.push(declared);
    this.group ??= this.open();
    this.group.members.push(declared);
    this.expectRest();
    return this.group.judged;
  }

  /** The resource object is there only after it was declared. */
  name(resource: Resource, declared: Declared): void {
    this.resources.set(declared, resource);
  }

  /** The lease of that "namespace/name" that this program declares; undefined where it declares none. */
  async leaseNamed(id: string): Promise<Resource | undefined> {
    const session = await this.reach();
    if (session === undefined) return undefined;
    return [...this.resources].find(([declared]) => declared.kind === 'lease' && idOfLease(declared, session.namespace) === id)?.[1];
  }

  /** Says all errors, and in a preview all warnings. */
  async say(judged: readonly Judged[]): Promise<void> {
    for (const { urn, findings } of judged) {
      for (const finding of findings) {
        if (finding.severity === 'error' || this.run.isDryRun) await this.run.log.say(finding.severity, sentenceOf(finding), GENERAL.has(finding.reason) ? '' : urn);
      }
    }
  }

  private open(): { readonly members: Declared[]; readonly judged: Promise<void> } {
    const members: Declared[] = [];
    const judged = turn().then(() => {
      this.group = undefined;
      return this.judge(members);
    });
    // Every member waits for it and fails with it.
    judged.catch(() => undefined);
    return { members, judged };
  }

  private async judge(members: readonly Declared[]): Promise<void> {
    const session = await this.reach();
    if (session !== undefined) await this.say(await judgeProgram(session, members, this.run.ownerOf, (declared) => this.leaseOf(declared)));
  }

  // Without a way to the control plane each check refuses by itself, and says why.
  private async reach(): Promise<Session | undefined> {
    try {
      return await this.session.get();
    } catch (error) {
      if (error instanceof ConnectionError) return undefined;
      throw error;
    }
  }

  private leaseOf({ lease }: Declared): Declared | undefined {
    return [...this.resources].find(([, resource]) => resource === lease)?.[0];
  }

  /** In a preview: tells of stray leases once the program has declared everything. The run is kept open until then. */
  expectRest(): void {
    if (!this.run.isDryRun) return;
    clearTimeout(this.resting);
    this.release ??= settings.rpcKeepAlive();
    this.resting = setTimeout(() => void this.rest(), REST_MS);
  }

  private async rest(): Promise<void> {
    try {
      // A fault of the configuration is told by the resources that wait for it.
      const session = await this.reach().catch(() => undefined);
      if (session === undefined) return;
      for (const namespace of this.namespaces(session)) await this.say(await strays(session, namespace, this.run.marks, this.urns));
    } finally {
      this.release?.();
      this.release = undefined;
    }
  }

  private namespaces({ namespace }: Session): ReadonlySet<string> {
    const named = this.declared.map(({ props }) => props().namespace);
    return new Set([namespace, ...named.filter((name): name is string => typeof name === 'string' && name !== NOT_YET)]);
  }
}

const collectors = new WeakMap<object, Collector>();

/** The collector of a run. */
export function collectorOf(engine: object): Collector {
  const known = collectors.get(engine) ?? new Collector(sharedUrns(engine), currentRun());
  collectors.set(engine, known);
  return known;
}

/** In a preview: tells of stray leases also where the program declares nothing. */
export function watchStrays(): void {
  const engine = currentEngine();
  if (engine !== undefined) collectorOf(engine).expectRest();
}
