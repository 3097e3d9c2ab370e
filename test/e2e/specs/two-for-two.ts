import { type Expression, idOf, instance, raw } from '../../harness/configuration';
import { phasesOfInstances } from '../../harness/plane-eyes';
import { saying } from '../../harness/saying';
import type { PlaneSuite } from '../../harness/terraform-suite';
import { macOfATenant } from './mac-of-a-tenant';

/** The engine's own number of workers. */
const ENOUGH = 10;

/** As many creates as wait for a slot at once. */
const WAITERS = 2;

/** Long enough for two machines to go where they can; short where all workers may be waiting. */
const patience = (isGuaranteed: boolean) => ({ timeouts: raw(`{ create = "${isGuaranteed ? 120 : 12}s" }`) });

/**
 * Two old machines out and two new ones in, in one apply, again and again on one Mac, at these numbers of workers. The engine does not
 * order a delete before a create of another resource: where all its workers wait for a slot at once, the apply may end in a refusal that
 * says so, and the next one gets there.
 */
export function twoForTwo(suite: () => PlaneSuite, serial: string, nameLease: 'by reference' | 'as a literal', parallelism: readonly number[]): void {
  let round = 0;
  let mac: ReturnType<typeof macOfATenant>;
  let on: string | Expression;
  const pair = (n: number, isGuaranteed = true) => [`old-${n}`, `new-${n}`].map((name) => instance(name, on, patience(isGuaranteed)));
  const names = (n: number) => ({ [`old-${n}`]: 'Running', [`new-${n}`]: 'Running' });

  beforeAll(async () => {
    mac = macOfATenant(suite(), serial);
    on = nameLease === 'by reference' ? idOf('ci') : `${mac.tenant.namespace}/ci`;
    if (nameLease === 'as a literal') await mac.project.configure(mac.ci).applied();
    await mac.project.configure(mac.ci, ...pair(0)).applied();
  });

  it.each(parallelism)(`where the lease is named ${nameLease}, at -parallelism=%d`, async (workers) => {
    round += 1;
    const isGuaranteed = workers > WAITERS;
    const run = await mac.project.configure(mac.ci, ...pair(round, isGuaranteed)).apply(`-parallelism=${workers}`);
    const refusals = mac.project.errors(run);
    for (const { reason, detail } of refusals) {
      expect({ isGuaranteed, reason, says: /apply again|higher -parallelism/i.test(detail) || reason === 'Timeout' }).toEqual({ isGuaranteed: false, reason: saying(/^(ThirdInstance|Timeout)$/), says: true });
    }
    // A plan that meets the creates first knows nothing of the deletes yet, and says what lets it.
    const asSaid = refusals.some(({ detail }) => detail.includes('higher -parallelism')) ? ENOUGH : workers;
    if (run.code !== 0) await mac.project.applied(`-parallelism=${asSaid}`);
    expect(await phasesOfInstances(suite(), mac.tenant)).toEqual(names(round));
  });

  it(`never had three, where the lease is named ${nameLease}, nor asked for a third`, async () => {
    const counts = ((await mac.status())?.journal ?? []).map(({ vmCount }) => vmCount);
    expect(Math.max(...counts)).toBe(2);
    expect(await mac.thirds()).toEqual([]);
  });
}
