import { log, type Resource } from '@pulumi/pulumi';
import { ConnectionError } from '../../../sdk/client/connect-options';
import { hasFailures, type Finding } from '../../core/finding';
import type { Session } from '../session';
import { sentenceOf } from '../wording';
import { NOT_YET, type Declared } from './declaration';
import { currentEngine } from './engine';
import { idOfLease, judgeProgram, type Judged } from './judgement';
import { currentRun, type ProgramRun } from './program-run';
import { ProgramSession } from './program-session';
import { Rest } from './rest';
import { sharedRegistered, sharedUrns } from './shared';
import { earlyReleases, keeperOf, strays, type Declares } from './strays';

/** Findings that are about the run as a whole. */
const GENERAL: ReadonlySet<Finding['reason']> = new Set(['NewLeases', 'NoCapacity', 'NotTamperProof']);

/** What depends on a refused resource is never declared. */
const REMOVED = 'removed from the configuration, as far as this run has read it';

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
  private readonly told = new Set<string>();
  private readonly verdicts: Promise<unknown>[] = [];
  private readonly rest = new Rest(() => Promise.all(this.verdicts), () => this.tellStrays());
  private isRefused = false;

  /**
   * @param urns of all resources that the program declares, through whichever copy of the package
   * @param registered those that the engine has answered for
   */
  constructor(readonly urns: Set<string>, readonly registered: Set<string>, readonly run: ProgramRun) {
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
    resource.urn.apply(() => this.registered.add(declared.urn));
  }

  /** The lease of that "namespace/name" that this program declares; undefined where it declares none. */
  async leaseNamed(id: string): Promise<Resource | undefined> {
    const session = await this.reach();
    if (session === undefined) return undefined;
    return [...this.resources].find(([declared]) => declared.kind === 'lease' && idOfLease(declared, session.namespace) === id)?.[1];
  }

  /** Says all errors, and in a preview all warnings, each once. */
  async say(judged: readonly Judged[]): Promise<void> {
    for (const { urn, findings } of judged) {
      for (const finding of findings) {
        if (finding.severity === 'error' || this.run.isDryRun) await this.sayOnce(finding, finding.severity === 'warning' && GENERAL.has(finding.reason) ? '' : urn);
      }
    }
  }

  private async sayOnce(finding: Finding, urn: string): Promise<void> {
    const text = sentenceOf(finding);
    const key = `${urn} ${text}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    await this.run.log.say(finding.severity, text, urn);
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

  /** Checks that refuse the run let it come to no delete: what there is to say of removed leases is said before them. */
  private async judge(members: readonly Declared[]): Promise<void> {
    const verdict = this.judgeAndSay(members);
    this.verdicts.push(verdict.catch(() => undefined));
    if (await verdict) await this.rest.over();
  }

  /** True where something is refused. */
  private async judgeAndSay(members: readonly Declared[]): Promise<boolean> {
    const session = await this.reach();
    if (session === undefined) return false;
    const judged = await judgeProgram(session, members, this.run.ownerOf, (declared) => this.leaseOf(declared));
    await this.say(judged);
    const isRefused = judged.some(({ findings }) => hasFailures(findings));
    this.isRefused ||= isRefused;
    return isRefused;
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

  /** In a preview: tells of stray leases once the program has declared everything. */
  expectRest(): void {
    if (this.run.isDryRun) this.rest.restart();
  }

  private async tellStrays(): Promise<void> {
    // A program that has failed has not declared everything: what it lacks is neither removed nor a stray.
    if (log.hasErrors()) return;
    // A fault of the configuration is told by the resources that wait for it.
    const session = await this.reach().catch(() => undefined);
    if (session === undefined) return;
    for (const namespace of this.namespaces(session)) await this.tellStraysOf(namespace, session);
  }

  private async tellStraysOf(namespace: string, session: Session): Promise<void> {
    const { marks } = this.run;
    const declares = this.declares(session);
    const removed = this.isRefused ? await earlyReleases(await this.session.fresh(), namespace, marks, (lease) => keeperOf(lease, declares) === undefined, REMOVED) : [];
    await this.say(removed);
    await this.say(await strays(session, namespace, marks, declares, new Set(removed.map(({ urn }) => urn))));
  }

  /** What the program has declared so far; names of leases are those of this copy of the package. */
  declares({ namespace }: Session): Declares {
    const leases = this.declared.filter(({ kind }) => kind === 'lease').map((declared) => [String(idOfLease(declared, namespace)), declared.urn] as const);
    return { urns: this.urns, leases: new Map(leases) };
  }

  /** Those that the program's resources are in, as far as they are known, and the one of resources that name none. */
  namespaces({ namespace }: Session): ReadonlySet<string> {
    const named = this.declared.map(({ props }) => props().namespace);
    return new Set([namespace, ...named.filter((name): name is string => typeof name === 'string' && name !== NOT_YET)]);
  }
}

const collectors = new WeakMap<object, Collector>();

/** The collector of a run. */
export function collectorOf(engine: object): Collector {
  const known = collectors.get(engine) ?? new Collector(sharedUrns(engine), sharedRegistered(engine), currentRun());
  collectors.set(engine, known);
  return known;
}

/** In a preview: tells of stray leases also where the program declares nothing. */
export function watchStrays(): void {
  const engine = currentEngine();
  if (engine !== undefined) collectorOf(engine).expectRest();
}
