import { reasonOf, type Diagnostic, type Outcome } from '../../cli/pulumi/outcome';
import type { Reason } from '../../sdk/rules/reasons';
import type { World } from '../harness/plane-suite';
import { nameOf as resourceOf, type PulumiProject } from '../harness/pulumi/pulumi-project';
import type { PulumiSuite } from '../harness/pulumi/pulumi-suite';
import type { Stage } from './staging';
import { describeLayer, notAsked, rowsOf, type Answer } from './table';
import type { Row } from './verdicts';
import { isTimed, wantedAt, wantedNow, type TimedAsk, type Wanted } from './wanted';

/** What differs between the planes: how a lease gets to a moment of its life, and which moments it gets to. */
export interface Moments<W extends World> {
  /** @param name of one of the leases; all were bound about then */
  readonly moveTo: (stage: Stage<W>, name: string, afterMs: number) => Promise<void>;
  /** Why a row cannot be asked there. */
  readonly leftOut?: (row: Row) => string | undefined;
}

const IMAGE = 'ghcr.io/acme/macos-sequoia:15.1';
const SMALL = { cpu: 2, memory: '4Gi', disk: '40Gi' };

/** A row's objects as lines of a program. Resources are called as the objects are. */
function lineOf(wanted: Wanted): string {
  if ('instance' in wanted) {
    const { instance: name, on, shape = SMALL, namespace } = wanted;
    const args = JSON.stringify({ image: IMAGE, shape, namespace });
    return `new macrack.MacOSInstance("${name}", { ...${args}, lease: ${'lease' in on ? on.lease : JSON.stringify(on.id)} });`;
  }
  const { lease: name, ...args } = wanted;
  return `const ${name} = new macrack.MacNodeLease("${name}", ${JSON.stringify(args)});`;
}

/**
 * Real previews on a whole plane. Each row has resources of its own, called after its place in the table, so that one preview answers many
 * rows: every refusal is said at its resource. Such a message alone fails nothing, so each run is also held to its exit code, and what is
 * allowed is asked once more without what is not.
 */
class PulumiLayer<W extends World> {
  readonly answers = new Map<Row, Answer>();
  /** Refusals that are about no row of their run, and runs that ended otherwise than their rows say. */
  readonly strays: string[] = [];
  readonly #programs = new Map<Row, readonly string[]>();

  constructor(private readonly rows: readonly Row[], private readonly stage: Stage<W>, private readonly project: PulumiProject, private readonly moments: Moments<W>) {}

  async askAll(): Promise<void> {
    const timed = this.rows.flatMap((row) => (isTimed(row.ask) ? [[row, row.ask] as const] : []));
    const applied = timed.map(([row, ask]) => [row, this.#lines(wantedAt(this.#nameOf(row), ask, 'applied'))] as const);
    for (const [row, lines] of applied) this.#programs.set(row, lines);
    await this.#declare().updated();
    await this.#askNow();
    await this.#askLater(timed);
  }

  async #askNow(): Promise<void> {
    const now = new Map<Row, readonly string[]>();
    for (const row of this.rows.filter(({ ask }) => !isTimed(ask))) now.set(row, this.#lines(await wantedNow(this.stage, this.#nameOf(row), row)));
    await this.#ask(new Map([...now].filter(([row]) => !isLeftToCheck(row))));
    for (const each of [...now].filter(([row]) => isLeftToCheck(row))) await this.#ask(new Map([each]));
  }

  async #askLater(timed: readonly (readonly [Row, TimedAsk])[]): Promise<void> {
    const hours = [...new Set(timed.map(([, { afterMs }]) => afterMs))].sort((a, b) => a - b);
    for (const afterMs of hours) {
      const due = timed.filter(([, ask]) => ask.afterMs === afterMs);
      const [first] = due;
      if (first !== undefined) await this.moments.moveTo(this.stage, this.#nameOf(first[0]), afterMs);
      // A run that a check refuses never comes to its deletes.
      for (const kind of ['change', 'release'] as const) await this.#ask(new Map(due.filter(([, ask]) => ask.kind === kind).map(([row, ask]) => [row, this.#lines(wantedAt(this.#nameOf(row), ask, 'later'))])));
    }
  }

  /** Asks rows in one preview, and those that are to be allowed in another one if there are others. */
  async #ask(asked: ReadonlyMap<Row, readonly string[]>): Promise<void> {
    if (asked.size === 0) return;
    const allowed = new Map([...asked].filter(([{ expect }]) => expect === 'allowed'));
    await this.#preview(asked);
    if (allowed.size > 0 && allowed.size < asked.size) await this.#preview(allowed);
  }

  async #preview(asked: ReadonlyMap<Row, readonly string[]>): Promise<void> {
    const run = await this.#declare(asked).preview();
    const said = refusalsIn(run);
    for (const row of asked.keys()) this.answers.set(row, [...this.answers.get(row) ?? [], ...said.filter((each) => this.#isAbout(row, each)).map((each) => reasonOf(each) as Reason)]);
    this.strays.push(...said.filter((each) => ![...asked.keys()].some((row) => this.#isAbout(row, each))).map(({ message }) => message));
    const code = [...asked.keys()].every(({ expect }) => expect === 'allowed') ? 0 : 1;
    if (run.code !== code) this.strays.push(`a preview of ${[...asked.keys()].map((row) => this.#nameOf(row)).join(', ')} ends with ${run.code}: ${run.diagnostics.map(({ message }) => message).join('\n')}`);
  }

  #declare(over: ReadonlyMap<Row, readonly string[]> = new Map()): PulumiProject {
    return this.project.program(...[...new Map([...this.#programs, ...over]).values()].flat());
  }

  #nameOf(row: Row): string {
    return `r${this.rows.indexOf(row)}`;
  }

  #lines(wanted: readonly Wanted[]): readonly string[] {
    return wanted.map(lineOf);
  }

  #isAbout(row: Row, { urn = '' }: Diagnostic): boolean {
    const name = resourceOf(urn);
    return name === this.#nameOf(row) || name.startsWith(`${this.#nameOf(row)}-`);
  }
}

/** Whose name a lease has is known from the state, which the check alone sees. The engine shows one refused check of a run: such a row is asked by itself. */
const isLeftToCheck = ({ expect }: Row): boolean => expect === 'NameHeld';

/** Errors of ours. The engine's own say no more than that there were some. */
function refusalsIn({ diagnostics }: Outcome): Diagnostic[] {
  return diagnostics.filter((each) => each.severity === 'error' && reasonOf(each) !== undefined);
}

/** The layer on the plane of a suite, which has 18 Macs of class base or more beside the pinned ones, and two tenants. */
export function describePulumiLayer<W extends World>(suite: () => PulumiSuite<W>, moments: Moments<W>): void {
  const rows = rowsOf('pulumi').filter((row) => moments.leftOut?.(row) === undefined);
  let layer: PulumiLayer<W>;

  beforeAll(async () => {
    const [tenant, other] = [suite().tenant(), suite().tenant()];
    layer = new PulumiLayer(rows, { suite: suite(), tenant, other }, suite().project(tenant), moments);
    await layer.askAll();
  });

  describeLayer('pulumi', (row) => layer.answers.get(row) ?? notAsked(row), moments.leftOut);

  it('says nothing of what no row asks, and ends each run as its rows say', () => {
    expect(layer.strays).toEqual([]);
  });
}
