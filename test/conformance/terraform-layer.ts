import { type JsonDiagnostic, type Outcome, reasonOf } from '../../cli/terraform/outcome';
import type { Reason } from '../../sdk/rules/reasons';
import { Kinds } from '../../sdk/api';
import { parseInstant } from '../../sdk/rules/instant';
import { idOf, instance, lease, raw } from '../harness/configuration';
import type { Project } from '../harness/project';
import type { Development } from '../../devplane/development-plane';
import { macs, type TerraformSuite } from '../harness/terraform-suite';
import { PINNED, type Stage as OnPlane } from './staging';
import { describeLayer, notAsked, rowsOf, type Answer } from './table';
import type { Row } from './verdicts';
import { isTimed, wantedAt, wantedNow, type TimedAsk, type Wanted } from './wanted';

/**
 * Real plans on a whole plane. Each row has objects of its own, called after its place in the table, so that one plan answers many rows:
 * an error belongs to the row whose resource it is about. Rows in time share the plan of their hour.
 */
const rows = rowsOf('terraform');
const nameOf = (row: Row): string => `r${rows.indexOf(row)}`;

type Stage = OnPlane<Development>;

/** A row's objects as blocks. */
function blockOf(wanted: Wanted): string {
  if ('instance' in wanted) {
    const { instance: name, on, namespace = null, shape } = wanted;
    const sizes = shape === undefined ? {} : { shape: raw(`{ cpu = ${shape.cpu}, memory = "${shape.memory}", disk = "${shape.disk}" }`) };
    return instance(name, 'lease' in on ? idOf(on.lease) : on.id, { namespace, ...sizes });
  }
  const { lease: name, class: className, serial = null, minimumDuration = null, onEarlyRelease = null, adopt = null } = wanted;
  return lease(name, { class: className, serial, minimum_duration: minimumDuration, on_early_release: onEarlyRelease, adopt });
}

const blocksNow = async (stage: Stage, row: Row): Promise<string[]> => (await wantedNow(stage, nameOf(row), row)).map(blockOf);
const timedBlocks = (row: Row, ask: TimedAsk, when: 'applied' | 'later'): string[] => wantedAt(nameOf(row), ask, when).map(blockOf);

/** Judged before anything is planned: such an error would keep the other rows from being asked. */
const isCheckedFirst = ({ expect, ask }: Row): boolean => ask.kind === 'new-lease' && expect === 'FloorTooShort';

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

/** For a fresh plane of `terraformLayer`. */
export const LAYER_OPTIONS = { macs: [...macs(18, 'base', 'c02mac'), ...PINNED], tenants: 2 };

/** Asks every row of the table with the engine of the suite. */
export function terraformLayer(suite: () => TerraformSuite): void {
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
    project.configure(...timed.flatMap(([row, ask]) => timedBlocks(row, ask, 'later')));
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
}
