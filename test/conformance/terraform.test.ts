import { until } from '../../sdk/client/until';
import { type JsonDiagnostic, type Outcome, reasonOf } from '../../cli/terraform/outcome';
import type { Reason } from '../../sdk/rules/reasons';
import { Kinds, type MacNodeLease } from '../../sdk/api';
import { parseInstant } from '../../sdk/rules/instant';
import { idOf, instance, lease, raw, type Attributes } from '../harness/configuration';
import type { Project } from '../harness/project';
import { describeTerraform, macs, type TerraformSuite, type TestTenant } from '../harness/terraform-suite';
import { instanceNamed, leaseNamed } from './objects';
import { describeLayer, notAsked, rowsOf, type Answer, type AskOf } from './table';
import type { Ask, Row } from './verdicts';

/**
 * Real plans on a whole plane. Each row has objects of its own, called after its place in the table, so that one plan answers many rows:
 * an error belongs to the row whose resource it is about. Rows in time share the plan of their hour.
 */
const rows = rowsOf('terraform');
const nameOf = (row: Row): string => `r${rows.indexOf(row)}`;
/** Macs that are named in the table are of another class, so that no lease without a pin gets one of them. */
const pinned = ['c02base1', 'c02base2', 'c02base3', 'c02free'].map((serial) => ({ serial, class: 'pro' as const }));
const smallShape = { cpu: 2, memory: '4Gi', disk: '40Gi' };

interface Stage {
  readonly suite: TerraformSuite;
  readonly tenant: TestTenant;
  readonly other: TestTenant;
}

/** A lease that is there already and in no state. */
async function bound({ suite: { admin } }: Stage, { namespace }: TestTenant, name: string): Promise<MacNodeLease> {
  await admin.create(Kinds.MacNodeLease, leaseNamed(namespace, name));
  return until(`lease ${name} is Bound`, async () => {
    const found = await admin.get(Kinds.MacNodeLease, { namespace, name });
    return found.status?.phase === 'Bound' ? found : undefined;
  });
}

async function held(stage: Stage, name: string): Promise<void> {
  const ref = { namespace: stage.tenant.namespace, name };
  await bound(stage, stage.tenant, name);
  await stage.suite.admin.patch(Kinds.MacNodeLease, ref, { spec: { release: true } });
  await until(`lease ${name} is Held`, async () => ((await stage.suite.admin.get(Kinds.MacNodeLease, ref)).status?.phase === 'Held' ? true : undefined));
}

async function existingInstance({ suite, tenant: { namespace } }: Stage, on: MacNodeLease, name: string, phase: string): Promise<void> {
  const mac = suite.development.macs.get(on.status?.chassis ?? '')?.mac;
  if (mac !== undefined && phase === 'Failed') mac.faults.failNextStart = 'it does not boot';
  const wanted = instanceNamed(namespace, name, on.metadata.name, smallShape);
  await suite.admin.create(Kinds.MacOSInstance, { ...wanted, spec: { ...wanted.spec, running: phase !== 'Stopped' } });
  await until(`instance ${name} is ${phase}`, async () => ((await suite.admin.get(Kinds.MacOSInstance, { namespace, name })).status?.phase === phase ? true : undefined));
}

const idIn = ({ namespace }: TestTenant, name: string): string => `${namespace}/${name}`;

async function start(stage: Stage, name: string, { existing, starting, lease: of }: AskOf<'start'>): Promise<string[]> {
  const onServer = of === 'bound' ? await bound(stage, stage.tenant, name) : undefined;
  if (onServer !== undefined) for (const each of existing) await existingInstance(stage, onServer, `${name}-${each.name}`, each.phase);
  const on = onServer === undefined ? idOf(name) : idIn(stage.tenant, name);
  return [...(onServer === undefined ? [lease(name)] : []), ...starting.map((each) => instance(`${name}-${each}`, on))];
}

async function place(stage: Stage, row: Row, { lease: of }: AskOf<'place'>): Promise<string[]> {
  const name = nameOf(row);
  switch (of) {
    case 'absent': break;
    case 'held': await held(stage, name); break;
    case 'own': await bound(stage, stage.tenant, name); break;
    case 'foreign': await bound(stage, stage.other, name); break;
    case 'namespace-recreated': return notAsked(row);
  }
  return [instance(`${name}-a`, idIn(of === 'foreign' ? stage.other : stage.tenant, name), of === 'foreign' ? { namespace: stage.tenant.namespace } : {})];
}

function shapes(name: string, fits: boolean): string[] {
  const half = (memory: string): Attributes => ({ shape: raw(`{ cpu = 4, memory = "${memory}", disk = "128Gi" }`) });
  return [lease(name), instance(`${name}-a`, idOf(name), half('8Gi')), instance(`${name}-b`, idOf(name), half(fits ? '8192Mi' : '9Gi'))];
}

async function newLease(stage: Stage, name: string, { minimumDuration, serial, name: taken, adopt }: AskOf<'new-lease'>): Promise<string[]> {
  if (taken === 'held') await held(stage, name);
  const pins = { free: 'c02free', absent: 'c02none', leased: serial === 'leased' ? (await bound(stage, stage.other, name)).status?.chassis ?? '' : '' };
  return [lease(name, { class: serial === 'free' ? 'pro' : 'base', serial: serial === undefined ? null : pins[serial], minimum_duration: minimumDuration ?? null, adopt: adopt ?? null })];
}

/** Rows that are about now: their blocks, over objects that are made here. */
function blocksNow(stage: Stage, row: Row): Promise<string[]> | string[] {
  const { ask } = row;
  switch (ask.kind) {
    case 'start': return start(stage, nameOf(row), ask);
    case 'place': return place(stage, row, ask);
    case 'shape': return shapes(nameOf(row), ask.fits);
    case 'new-lease': return newLease(stage, nameOf(row), ask);
    default: return notAsked(row);
  }
}

type TimedAsk = AskOf<'release'> | AskOf<'change'>;
const isTimed = (ask: Ask): ask is TimedAsk => ask.kind === 'release' || ask.kind === 'change';
/** Judged before anything is planned: such an error would keep the other rows from being asked. */
const isCheckedFirst = ({ expect, ask }: Row): boolean => ask.kind === 'new-lease' && expect === 'FloorTooShort';

const attributeOf = { class: 'class', serial: 'serial', minimumDuration: 'minimum_duration' } as const;

/** The lease of a row in time as it is applied, and as it is planned later; a release is its absence. */
function timedBlocks(row: Row, ask: TimedAsk, when: 'applied' | 'planned'): string[] {
  const name = nameOf(row);
  if (ask.kind === 'release') {
    const block = lease(name, { minimum_duration: ask.minimumDuration ?? null, on_early_release: ask.onEarlyRelease ?? null });
    return when === 'applied' ? [block] : [];
  }
  // Two rows pin a Mac, each one of its own.
  const own = ask.field === 'serial' && ask.from === ask.to.toLowerCase() ? (serial: string) => serial.replace('1', '3') : (serial: string) => serial;
  return [lease(name, { ...(ask.field === 'serial' ? { class: 'pro' } : {}), [attributeOf[ask.field]]: own(when === 'applied' ? ask.from : ask.to) })];
}

/** The clock goes on to a moment of the lease and stands still there, to the second of the row. */
async function standStillAt({ suite: { admin, development }, tenant: { namespace } }: Stage, name: string, afterMs: number): Promise<void> {
  const { clock } = development.plane;
  const { status } = await admin.get(Kinds.MacNodeLease, { namespace, name });
  const at = parseInstant(status?.boundAt ?? '') + afterMs;
  clock.now = () => at;
  // Whatever has come due meanwhile happens now.
  clock.advance(0);
}

/** Whether an error is about an object of the row: by its address, or by its id where the engine gives no address, as for a destroy. */
const isAbout = (row: Row, { address, summary }: JsonDiagnostic): boolean => new RegExp(`[./]${nameOf(row)}(?![0-9])`).test(address ?? summary);
const errorsOf = ({ diagnostics }: Outcome) => diagnostics.filter(({ severity }) => severity === 'error');

describeTerraform('terraform', { macs: [...macs(18, 'base', 'c02mac'), ...pinned], tenants: 2 }, (suite) => {
  const answers = new Map<Row, Answer>();
  const strays: string[] = [];

  /** @param others rows whose resources are in the run too, and are asked in another one. */
  function keep(run: Outcome, asked: readonly Row[], others: readonly Row[] = []): void {
    const errors = errorsOf(run);
    for (const row of asked) answers.set(row, errors.filter((error) => isAbout(row, error)).map((error) => reasonOf(error) as Reason));
    strays.push(...errors.filter((error) => ![...asked, ...others].some((row) => isAbout(row, error))).map(({ summary }) => summary));
  }

  async function askNow(stage: Stage, project: Project, kept: readonly string[]): Promise<void> {
    const now = rows.filter((row) => !isTimed(row.ask) && !isCheckedFirst(row));
    const blocks: string[] = [];
    for (const row of now) blocks.push(...await blocksNow(stage, row));
    keep(await project.configure(...kept, ...blocks).plan(), now);
    const first = rows.filter(isCheckedFirst);
    const faulty: string[] = [];
    for (const row of first) faulty.push(...await blocksNow(stage, row));
    keep(await project.configure(...kept, ...faulty).plan(), first);
  }

  async function askLater(stage: Stage, project: Project, timed: readonly (readonly [Row, TimedAsk])[]): Promise<void> {
    project.configure(...timed.flatMap(([row, ask]) => timedBlocks(row, ask, 'planned')));
    const hours = [...new Set(timed.map(([, { afterMs }]) => afterMs))].sort((a, b) => a - b);
    for (const afterMs of hours) {
      const asked = timed.filter(([, ask]) => ask.afterMs === afterMs).map(([row]) => row);
      const [first] = asked;
      if (first !== undefined) await standStillAt(stage, nameOf(first), afterMs);
      keep(await project.plan(), asked, timed.map(([row]) => row));
    }
  }

  beforeAll(async () => {
    const stage: Stage = { suite: suite(), tenant: suite().tenant(), other: suite().tenant() };
    const project = suite().project(stage.tenant);
    const timed = rows.flatMap((row) => (isTimed(row.ask) ? [[row, row.ask] as const] : []));
    const applied = timed.flatMap(([row, ask]) => timedBlocks(row, ask, 'applied'));
    await project.configure(...applied).applied();
    await askNow(stage, project, applied);
    await askLater(stage, project, timed);
  });

  describeLayer('terraform', (row) => answers.get(row) ?? notAsked(row));

  it('says nothing of what no row asks', () => {
    expect(strays).toEqual([]);
  });
});
